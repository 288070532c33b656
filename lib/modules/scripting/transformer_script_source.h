#pragma once
#include <string>

#include "architecture/transformer_options.h"
#include "text/tokenizer.h"

/// The TorchScript source of each class of an exported Transformer. Loops over layers are unrolled, because TorchScript
/// made from text cannot iterate over modules.
namespace ventris::scripting {

/// One source text per class, which contains the sizes and other settings.
struct TransformerScriptSource {
  const architecture::TransformerOptions& options;
  core::SpecialIds ids = {};

  std::string norm() const;
  std::string embeddings() const;
  std::string positional_encoding() const;
  std::string embed_sequence() const;
  std::string score() const;  ///< empty for scaled_dot
  std::string attention() const { return attention(architecture::Positions::kSinusoidal); }  ///< without positions
  std::string self_attention(bool causal) const;  ///< empty if it is that of attention()
  std::string relative_bias(bool causal) const;
  std::string ssru() const;
  std::string feed_forward() const;
  std::string mixture_of_experts() const;
  std::string encoder_layer() const;
  std::string decoder_layer() const;
  std::string encoder() const;
  std::string decoder() const;
  std::string encoder_decoder() const;
  std::string encode() const;  ///< the method of the whole model
  /// Whether decode_step() keeps what it has computed of earlier tokens.
  bool has_cache() const;

 private:
  /// What the positions of self-attention change in it.
  std::string attention(architecture::Positions positions) const;
  std::string bias_parameter() const;
  std::string bias_argument() const;
  std::string make_bias(const std::string& length, const std::string& start) const;
  std::string decoder_input() const;
  std::string memory_of(int64_t layer) const;  ///< an expression of what a decoder layer sees of the source
  int64_t state_size() const;                  ///< the number of tensors that a decoder layer keeps
  std::string decoder_layer_steps() const;  ///< methods of a layer, of the stack and of the model for decode_step()
  std::string decoder_steps() const;
  std::string steps() const;
  /// x = x + dropout(block(norm(x))), or norm(x + dropout(block(x))); `block` is an expression of `y`. `first`: lines
  /// that compute from `y` what `block` needs.
  std::string residual(int index, const std::string& block, const std::string& first = "") const;
};

}  // namespace ventris::scripting
