#pragma once
#include <torch/torch.h>

#include <optional>

namespace ventris::nn {

enum class NormPlace { kPre, kPost };            ///< layer norm before each block (and a final one), or after each
enum class Activation { kRelu, kGelu };          ///< gelu is the exact one
enum class Positions { kSinusoidal, kLearned };  ///< position vectors: fixed, or trained
enum class Tying { kNone, kDecoder, kAll };      ///< generator = target embedding; kAll: source embedding too

/// Shape of an encoder-decoder; defaults are the sizes of the base model of Vaswani et al. 2017, with pre-norm.
struct TransformerOptions {
  TransformerOptions(int64_t src_vocab, int64_t tgt_vocab) : src_vocab_(src_vocab), tgt_vocab_(tgt_vocab) {}
  TORCH_ARG(int64_t, src_vocab);  ///< tokens, padding and the other special ones included
  TORCH_ARG(int64_t, tgt_vocab);
  TORCH_ARG(int64_t, encoder_layers) = 6;
  TORCH_ARG(int64_t, decoder_layers) = 6;
  TORCH_ARG(int64_t, d_model) = 512;  ///< width between blocks, a multiple of `heads`
  TORCH_ARG(int64_t, d_ff) = 2048;    ///< width inside a feed-forward block
  TORCH_ARG(int64_t, heads) = 8;
  TORCH_ARG(double, dropout) = 0.1;  ///< in [0, 1), wherever the paper has it and at the two places below
  TORCH_ARG(std::optional<double>, attention_dropout);   ///< of attention weights; none = as dropout
  TORCH_ARG(std::optional<double>, activation_dropout);  ///< inside feed-forward blocks; none = as dropout
  TORCH_ARG(std::optional<double>, embedding_dropout);   ///< after positions are added; none = as dropout
  TORCH_ARG(NormPlace, norm) = NormPlace::kPre;
  TORCH_ARG(Activation, activation) = Activation::kRelu;
  TORCH_ARG(Positions, positions) = Positions::kSinusoidal;
  TORCH_ARG(int64_t, max_positions) = 5000;  ///< longest sequence, in tokens
  TORCH_ARG(Tying, tying) = Tying::kNone;    ///< kAll needs src_vocab = tgt_vocab
};

}  // namespace ventris::nn
