#pragma once
#include <string>

#include "model/config.h"

/// TorchScript text of each class of the exported model. Methods are unrolled over the layers, because TorchScript made
/// from text cannot iterate over modules.
namespace ventris::interop {

/// One source text a class; `config` supplies the sizes and choices written into it.
struct ScriptSource {
  explicit ScriptSource(const model::ModelConfig& model_config)
      : model(model_config), config(model_config.transformer) {}

  std::string linear() const;
  std::string layer_norm() const;
  std::string dropout() const;
  std::string embedding() const;
  std::string embeddings() const;
  std::string positional_encoding() const;
  std::string embed_sequence() const;
  std::string attention() const;
  std::string feed_forward() const;
  std::string encoder_layer() const;
  std::string decoder_layer() const;
  std::string encoder() const;
  std::string decoder() const;
  std::string generator() const;
  std::string encoder_decoder() const;

 private:
  /// x = x + dropout(block(norm(x))), or norm(x + dropout(block(x))); `block` is written in terms of `y`.
  std::string residual(int index, const std::string& block) const;

  const model::ModelConfig& model;
  const model::TransformerConfig& config;
};

}  // namespace ventris::interop
