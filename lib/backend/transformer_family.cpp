#include <torch/script.h>

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "architecture/transformer.h"
#include "backend/families.h"
#include "backend/transformer_script_source.h"
#include "nn/transformer.h"

namespace ventris::backend {
namespace {

using torch::jit::Module;
using Children = std::vector<std::pair<std::string, Module>>;

/// Builds jit modules that mirror nn modules: one class per kind of layer, one instance per layer.
class ScriptBuilder {
 public:
  ScriptBuilder(const architecture::TransformerOptions& options, const text::SpecialIds& ids)
      : options_(options), source_{options, ids} {}

  Module encoder_decoder(nn::EncoderDecoderImpl& model);

 private:
  struct Tensors {
    std::vector<std::pair<std::string, torch::Tensor>> parameters;
    std::vector<std::pair<std::string, torch::Tensor>> buffers;
    std::optional<double> p;  // dropout probability of a Dropout
  };

  Module make(const std::string& type, const Tensors& tensors, const Children& children, const std::string& source);
  Module linear(const torch::nn::Module& module);
  Module norm(const torch::nn::Module& module);
  Module dropout(const nn::Dropout& module);
  Module list(const std::string& type, std::vector<Module> items);
  Module attention(nn::MultiHeadAttentionImpl& module);
  Module feed_forward(nn::PositionwiseFeedForwardImpl& module);
  Module sublayers(torch::nn::ModuleList& modules, const std::string& type);
  Module embed(torch::nn::Sequential& modules, const std::string& side);
  template <typename Stack>
  Children stack_children(Stack& stack, std::vector<Module> layers, const std::string& type);

  const architecture::TransformerOptions& options_;
  TransformerScriptSource source_;
  std::shared_ptr<torch::jit::CompilationUnit> unit_ = std::make_shared<torch::jit::CompilationUnit>();
  std::map<std::string, c10::ClassTypePtr> types_;
};

Module ScriptBuilder::make(const std::string& type, const Tensors& tensors, const Children& children,
                           const std::string& source) {
  if (const auto known = types_.find(type); known != types_.end()) {
    Module module(unit_, known->second);
    module.setattr("training", false);
    if (tensors.p) module.setattr("p", *tensors.p);
    for (const auto& [name, value] : tensors.parameters) module.setattr(name, value);
    for (const auto& [name, value] : tensors.buffers) module.setattr(name, value);
    for (const auto& [name, value] : children) module.setattr(name, value._ivalue());
    return module;
  }
  Module module(c10::QualifiedName("__torch__.ventris." + type), unit_, /*shouldMangle=*/false);
  module.register_attribute("training", c10::BoolType::get(), false);
  if (tensors.p) module.register_attribute("p", c10::FloatType::get(), *tensors.p);
  for (const auto& [name, value] : tensors.parameters) module.register_parameter(name, value, /*is_buffer=*/false);
  for (const auto& [name, value] : tensors.buffers) module.register_buffer(name, value);
  for (const auto& [name, value] : children) module.register_module(name, value);
  if (!source.empty()) module.define(source);
  types_[type] = module.type();
  return module;
}

/// The parameters of a module, without those of its children.
std::vector<std::pair<std::string, torch::Tensor>> own_parameters(const torch::nn::Module& module) {
  std::vector<std::pair<std::string, torch::Tensor>> found;
  for (const auto& item : module.named_parameters(/*recurse=*/false))
    found.emplace_back(item.key(), item.value().detach());
  return found;
}

Module ScriptBuilder::linear(const torch::nn::Module& module) {
  const auto parameters = own_parameters(module);
  if (parameters.size() == 1) return make("LinearWithoutBias", {parameters, {}, {}}, {}, source_.linear_without_bias());
  return make("Linear", {parameters, {}, {}}, {}, source_.linear());
}

Module ScriptBuilder::norm(const torch::nn::Module& module) {
  return make("LayerNorm", {own_parameters(module), {}, {}}, {}, source_.layer_norm());
}

Module ScriptBuilder::dropout(const nn::Dropout& module) {
  Tensors tensors;
  tensors.p = module->p;
  return make("Dropout", tensors, {}, source_.dropout());
}

/// A ModuleList: children "0", "1", ... Lists with different lengths or contents need different classes.
Module ScriptBuilder::list(const std::string& type, std::vector<Module> items) {
  Children children;
  for (size_t i = 0; i < items.size(); ++i) children.emplace_back(std::to_string(i), std::move(items[i]));
  return make(type, {}, children, "");
}

Module ScriptBuilder::attention(nn::MultiHeadAttentionImpl& module) {
  std::vector<Module> linears;
  for (const auto& item : *module.linears) linears.push_back(linear(*item));
  Children children{{"linears", list("AttentionLinears", std::move(linears))}, {"dropout", dropout(module.dropout)}};
  if (!module.score.is_empty()) {
    children.emplace_back("score", make("Score", {own_parameters(*module.score), {}, {}}, {}, source_.score()));
  }
  return make("MultiHeadAttention", {}, children, source_.attention());
}

Module ScriptBuilder::feed_forward(nn::PositionwiseFeedForwardImpl& module) {
  const Children children{
      {"w_1", linear(*module.w_1)}, {"w_2", linear(*module.w_2)}, {"dropout", dropout(module.dropout)}};
  return make("PositionwiseFeedForward", {}, children, source_.feed_forward());
}

Module ScriptBuilder::sublayers(torch::nn::ModuleList& modules, const std::string& type) {
  std::vector<Module> items;
  for (size_t i = 0; i < modules->size(); ++i) {
    auto& sublayer = *modules->ptr<nn::SublayerConnectionImpl>(i);
    items.push_back(
        make("SublayerConnection", {}, {{"norm", norm(*sublayer.norm)}, {"dropout", dropout(sublayer.dropout)}}, ""));
  }
  return list(type, std::move(items));
}

Module ScriptBuilder::embed(torch::nn::Sequential& modules, const std::string& side) {
  auto& embeddings = *modules->ptr<nn::EmbeddingsImpl>(0);
  auto& positions = *modules->ptr<nn::PositionalEncodingImpl>(1);
  const Module table = make("Embedding", {own_parameters(*embeddings.lut), {}, {}}, {}, source_.embedding());
  Tensors pe;
  (options_.positions == architecture::Positions::kLearned ? pe.parameters : pe.buffers)
      .emplace_back("pe", positions.pe.detach());
  Children below{{"dropout", dropout(positions.dropout)}};
  if (!positions.norm.is_empty()) below.emplace_back("norm", norm(*positions.norm));
  const Children children{{"0", make("Embeddings", {}, {{"lut", table}}, source_.embeddings())},
                          {"1", make("PositionalEncoding", pe, below, source_.positional_encoding())}};
  return make("EmbedSequence" + side, {}, children, source_.embed_sequence());
}

template <typename Stack>
Children ScriptBuilder::stack_children(Stack& stack, std::vector<Module> layers, const std::string& type) {
  Children children{{"layers", list(type, std::move(layers))}};
  if (options_.norm == architecture::NormPlace::kPre) children.emplace_back("norm", norm(*stack.norm));
  return children;
}

Module ScriptBuilder::encoder_decoder(nn::EncoderDecoderImpl& model) {
  std::vector<Module> encoder_layers, decoder_layers;
  for (size_t i = 0; i < model.encoder->layers->size(); ++i) {
    auto& layer = *model.encoder->layers->ptr<nn::EncoderLayerImpl>(i);
    const Children children{{"self_attn", attention(*layer.self_attn)},
                            {"feed_forward", feed_forward(*layer.feed_forward)},
                            {"sublayer", sublayers(layer.sublayer, "EncoderSublayers")}};
    encoder_layers.push_back(make("EncoderLayer", {}, children, source_.encoder_layer()));
  }
  for (size_t i = 0; i < model.decoder->layers->size(); ++i) {
    auto& layer = *model.decoder->layers->ptr<nn::DecoderLayerImpl>(i);
    const Children children{{"self_attn", attention(*layer.self_attn)},
                            {"src_attn", attention(*layer.src_attn)},
                            {"feed_forward", feed_forward(*layer.feed_forward)},
                            {"sublayer", sublayers(layer.sublayer, "DecoderSublayers")}};
    decoder_layers.push_back(make("DecoderLayer", {own_parameters(layer), {}, {}}, children, source_.decoder_layer()));
  }
  const auto encoder_children = stack_children(*model.encoder, std::move(encoder_layers), "EncoderLayers");
  const auto decoder_children = stack_children(*model.decoder, std::move(decoder_layers), "DecoderLayers");
  const Children children{
      {"encoder", make("Encoder", {}, encoder_children, source_.encoder())},
      {"decoder", make("Decoder", {}, decoder_children, source_.decoder())},
      {"src_embed", embed(model.src_embed, "Source")},
      {"tgt_embed", embed(model.tgt_embed, "Target")},
      {"generator", make("Generator", {}, {{"proj", linear(*model.generator->proj)}}, source_.generator())}};
  return make("EncoderDecoder", {}, children, source_.encoder_decoder());
}

nn::Seq2Seq make_transformer(const architecture::Architecture& architecture) {
  const auto& settings = dynamic_cast<const architecture::TransformerArchitecture&>(architecture);
  return nn::EncoderDecoder(settings.options);
}

Module to_script(nn::Seq2SeqImpl& model, const text::SpecialIds& ids) {
  auto& transformer = dynamic_cast<nn::EncoderDecoderImpl&>(model);
  return ScriptBuilder(transformer.options, ids).encoder_decoder(transformer);
}

}  // namespace

Family transformer_family() { return {make_transformer, to_script}; }

}  // namespace ventris::backend
