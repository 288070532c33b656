#pragma once
#include <cstdint>
#include <optional>
#include <utility>

#include "architecture/architecture.h"
#include "architecture/tying.h"

namespace ventris::architecture {

enum class NormPlace { kPre, kPost };            ///< layer norm before each block (plus a final one), or after each
enum class Activation { kRelu, kGelu };          ///< gelu is exact, without the tanh approximation
enum class Positions { kSinusoidal, kLearned };  ///< position vectors: fixed, or trained

/// Settings of a Transformer. The defaults are the sizes of the base model of Vaswani et al. 2017, with pre-norm.
struct TransformerOptions {
  int64_t src_vocab = 0;  ///< size with all special tokens; comes from the tokenizers
  int64_t tgt_vocab = 0;
  int64_t encoder_layers = 6;
  int64_t decoder_layers = 6;
  int64_t d_model = 512;  ///< width between blocks, a multiple of `heads`
  int64_t d_ff = 2048;    ///< width inside a feed-forward block
  int64_t heads = 8;
  double dropout = 0.1;  ///< in [0, 1); after each block, as in the paper, and wherever the settings below are empty
  std::optional<double> attention_dropout = {};  ///< of attention weights (the paper: 0); empty = dropout
  std::optional<double> activation_dropout = {};  ///< inside feed-forward blocks (the paper: 0); empty = dropout
  std::optional<double> embedding_dropout = {};  ///< of embedding + position, as in the paper; empty = dropout
  NormPlace norm = NormPlace::kPre;
  Activation activation = Activation::kRelu;
  Positions positions = Positions::kSinusoidal;
  int64_t max_positions = 1024;  ///< maximum length of a sequence, in tokens with bos or eos
  Tying tying = Tying::kAll;  ///< kAll needs src_vocab = tgt_vocab
};

/// "architecture": "transformer".
class TransformerArchitecture : public Architecture {
 public:
  explicit TransformerArchitecture(const TransformerOptions& settings = {}) : options(settings) {}

  std::string family() const override { return "transformer"; }
  nlohmann::json to_json() const override;
  std::vector<core::SettingDescription> describe() const override;
  int64_t src_vocab() const override { return options.src_vocab; }
  int64_t tgt_vocab() const override { return options.tgt_vocab; }
  ArchitecturePtr with_vocabularies(int64_t src_vocab, int64_t tgt_vocab) const override;
  int64_t max_length() const override { return options.max_positions; }
  int64_t width() const override { return options.d_model; }
  void check_tokenizers(bool shared) const override { check_tied_tokenizers(options.tying, shared); }
  void each_tensor(const TensorVisitor& visit) const override;

  TransformerOptions options;
};

}  // namespace ventris::architecture
