#include <torch/script.h>

#include <utility>
#include <vector>

#include "architecture/transformer.h"
#include "backend/families.h"
#include "backend/script_builder.h"
#include "backend/transformer_script_source.h"
#include "families/transformer.h"

namespace ventris::backend {
namespace {

using torch::jit::Module;
using Children = ScriptBuilder::Children;

/// Builds the jit module of a Transformer.
class TransformerScript {
 public:
  TransformerScript(const architecture::TransformerOptions& options, const text::SpecialIds& ids)
      : options_(options), source_{options, ids} {}

  Module encoder_decoder(families::EncoderDecoderImpl& model);

 private:
  Module norm(const torch::nn::Module& module);
  Module attention(nn::MultiHeadAttentionImpl& module);
  Module feed_forward(families::PositionwiseFeedForwardImpl& module);
  Module sublayers(torch::nn::ModuleList& modules, const std::string& type);
  Module embed(torch::nn::Sequential& modules, const std::string& side);
  template <typename Stack>
  Children stack_children(Stack& stack, std::vector<Module> layers, const std::string& type);

  const architecture::TransformerOptions& options_;
  TransformerScriptSource source_;
  ScriptBuilder build_;
};

Module TransformerScript::norm(const torch::nn::Module& module) {
  return build_.make("LayerNorm", {own_parameters(module), {}, {}}, {}, source_.layer_norm());
}

Module TransformerScript::attention(nn::MultiHeadAttentionImpl& module) {
  std::vector<Module> linears;
  for (const auto& item : *module.linears) linears.push_back(build_.linear(*item));
  Children children{{"linears", build_.list("AttentionLinears", std::move(linears))},
                    {"dropout", build_.dropout(module.dropout)}};
  if (!module.score.is_empty()) {
    children.emplace_back("score", build_.make("Score", {own_parameters(*module.score), {}, {}}, {}, source_.score()));
  }
  return build_.make("MultiHeadAttention", {}, children, source_.attention());
}

Module TransformerScript::feed_forward(families::PositionwiseFeedForwardImpl& module) {
  const Children children{{"w_1", build_.linear(*module.w_1)},
                          {"w_2", build_.linear(*module.w_2)},
                          {"dropout", build_.dropout(module.dropout)}};
  return build_.make("PositionwiseFeedForward", {}, children, source_.feed_forward());
}

Module TransformerScript::sublayers(torch::nn::ModuleList& modules, const std::string& type) {
  std::vector<Module> items;
  for (size_t i = 0; i < modules->size(); ++i) {
    auto& sublayer = *modules->ptr<families::SublayerConnectionImpl>(i);
    items.push_back(build_.make("SublayerConnection", {},
                                {{"norm", norm(*sublayer.norm)}, {"dropout", build_.dropout(sublayer.dropout)}}, ""));
  }
  return build_.list(type, std::move(items));
}

Module TransformerScript::embed(torch::nn::Sequential& modules, const std::string& side) {
  auto& embeddings = *modules->ptr<nn::EmbeddingsImpl>(0);
  auto& positions = *modules->ptr<nn::PositionalEncodingImpl>(1);
  const Module table = build_.embedding(*embeddings.lut);
  ScriptBuilder::Tensors pe;
  (options_.positions == architecture::Positions::kLearned ? pe.parameters : pe.buffers)
      .emplace_back("pe", positions.pe.detach());
  Children below{{"dropout", build_.dropout(positions.dropout)}};
  if (!positions.norm.is_empty()) below.emplace_back("norm", norm(*positions.norm));
  const Children children{{"0", build_.make("Embeddings", {}, {{"lut", table}}, source_.embeddings())},
                          {"1", build_.make("PositionalEncoding", pe, below, source_.positional_encoding())}};
  return build_.make("EmbedSequence" + side, {}, children, source_.embed_sequence());
}

template <typename Stack>
Children TransformerScript::stack_children(Stack& stack, std::vector<Module> layers, const std::string& type) {
  Children children{{"layers", build_.list(type, std::move(layers))}};
  if (options_.norm == architecture::NormPlace::kPre) children.emplace_back("norm", norm(*stack.norm));
  return children;
}

Module TransformerScript::encoder_decoder(families::EncoderDecoderImpl& model) {
  std::vector<Module> encoder_layers, decoder_layers;
  for (size_t i = 0; i < model.encoder->layers->size(); ++i) {
    auto& layer = *model.encoder->layers->ptr<families::EncoderLayerImpl>(i);
    const Children children{{"self_attn", attention(*layer.self_attn)},
                            {"feed_forward", feed_forward(*layer.feed_forward)},
                            {"sublayer", sublayers(layer.sublayer, "EncoderSublayers")}};
    encoder_layers.push_back(build_.make("EncoderLayer", {}, children, source_.encoder_layer()));
  }
  for (size_t i = 0; i < model.decoder->layers->size(); ++i) {
    auto& layer = *model.decoder->layers->ptr<families::DecoderLayerImpl>(i);
    const Children children{{"self_attn", attention(*layer.self_attn)},
                            {"src_attn", attention(*layer.src_attn)},
                            {"feed_forward", feed_forward(*layer.feed_forward)},
                            {"sublayer", sublayers(layer.sublayer, "DecoderSublayers")}};
    decoder_layers.push_back(
        build_.make("DecoderLayer", {own_parameters(layer), {}, {}}, children, source_.decoder_layer()));
  }
  const auto encoder_children = stack_children(*model.encoder, std::move(encoder_layers), "EncoderLayers");
  const auto decoder_children = stack_children(*model.decoder, std::move(decoder_layers), "DecoderLayers");
  const Children children{{"encoder", build_.make("Encoder", {}, encoder_children, source_.encoder())},
                          {"decoder", build_.make("Decoder", {}, decoder_children, source_.decoder())},
                          {"src_embed", embed(model.src_embed, "Source")},
                          {"tgt_embed", embed(model.tgt_embed, "Target")},
                          {"generator", build_.generator(*model.generator->proj)}};
  return build_.make("EncoderDecoder", {}, children, source_.encoder_decoder());
}

nn::Seq2Seq make_transformer(const architecture::Architecture& architecture) {
  const auto& settings = dynamic_cast<const architecture::TransformerArchitecture&>(architecture);
  return families::EncoderDecoder(settings.options);
}

Module transformer_to_script(nn::Seq2SeqImpl& model, const text::SpecialIds& ids) {
  auto& transformer = dynamic_cast<families::EncoderDecoderImpl&>(model);
  return TransformerScript(transformer.options, ids).encoder_decoder(transformer);
}

}  // namespace

Family transformer_family() { return {make_transformer, transformer_to_script}; }

}  // namespace ventris::backend
