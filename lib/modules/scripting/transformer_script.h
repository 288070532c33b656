#pragma once
#include <string>
#include <vector>

#include "architecture/transformer_options.h"
#include "families/transformer.h"
#include "scripting/script_builder.h"
#include "scripting/transformer_script_source.h"

namespace ventris::scripting {

/// Builds the jit modules of a Transformer, and of other families that consist of its layers.
class TransformerScript {
 public:
  using Module = ScriptBuilder::Module;
  using Children = ScriptBuilder::Children;

  TransformerScript(const architecture::TransformerOptions& options, const core::SpecialIds& ids)
      : options_(options), decoder_options_(options.decoder_side()), source_{options, ids} {}

  /// The modules of the parts under their names, for the module of a model.
  Children children(const families::TransformerParts& parts);
  Module encoder_decoder(families::EncoderDecoderImpl& model);
  Module linear(const torch::nn::Module& module) { return build_.linear(module); }
  /// As ScriptBuilder::make.
  Module make(const std::string& type, const Children& children, const std::string& source) {
    return build_.make(type, {}, children, source);
  }

 private:
  Module norm(const torch::nn::Module& module);
  /// What attention computes, in a decoder or in an encoder.
  TransformerScriptSource attention_source(bool of_decoder) const {
    return {of_decoder ? decoder_options_ : options_, source_.ids};
  }
  Module attention(attention::MultiHeadAttentionImpl& module, bool of_decoder);
  Module self_attention(attention::MultiHeadAttentionImpl& module, bool causal);
  Module attention(attention::MultiHeadAttentionImpl& module, const std::string& type, const std::string& source);
  Module feed_forward(families::PositionwiseFeedForwardImpl& module);
  Module mixture_of_experts(families::MixtureOfExpertsImpl& module);
  /// The feed-forward part of an encoder or decoder layer, or its experts.
  template <typename Layer>
  Module feed_forward_of(Layer& layer);
  Module sublayers(torch::nn::ModuleList& modules, const std::string& type);
  Module encoder_layer(families::EncoderLayerImpl& layer);
  std::pair<std::string, Module> decoder_block(families::DecoderLayerImpl& layer);
  Module decoder_layer(families::DecoderLayerImpl& layer);
  Module embed(torch::nn::Sequential modules, const std::string& side);
  template <typename Stack>
  Children stack_children(Stack& stack, std::vector<Module> layers, const std::string& type);

  const architecture::TransformerOptions& options_;
  const architecture::TransformerOptions decoder_options_;
  TransformerScriptSource source_;
  ScriptBuilder build_;
};

}  // namespace ventris::scripting
