#include "scripting/transformer_script.h"

#include <torch/script.h>

#include <type_traits>
#include <utility>

#include "attention/segment_attention.h"

namespace ventris::scripting {

TransformerScript::Module TransformerScript::norm(const torch::nn::Module& module) {
  return build_.make("Norm", {own_parameters(module), {}, {}}, {}, source_.norm());
}

TransformerScript::Module TransformerScript::attention(attention::MultiHeadAttentionImpl& module, bool of_decoder) {
  const bool other = of_decoder && decoder_options_.heads != options_.heads;
  return attention(module, other ? "DecoderAttention" : "MultiHeadAttention", attention_source(of_decoder).attention());
}

TransformerScript::Module TransformerScript::self_attention(attention::MultiHeadAttentionImpl& module, bool causal) {
  const std::string source = attention_source(causal).self_attention(causal);
  if (source.empty()) return attention(module, causal);
  return attention(module, causal ? "DecoderSelfAttention" : "EncoderSelfAttention", source);
}

TransformerScript::Module TransformerScript::attention(attention::MultiHeadAttentionImpl& module,
                                                       const std::string& type, const std::string& source) {
  std::vector<Module> linears;
  for (const auto& item : *module.linears) linears.push_back(build_.linear(*item));
  Children children{{"linears", build_.list("AttentionLinears", std::move(linears))},
                    {"dropout", build_.dropout(module.dropout)}};
  if (auto* in_segments = module.as<attention::SegmentAttentionImpl>()) {
    children.emplace_back("r_net", build_.linear(*in_segments->r_net));
  }
  if (!module.score.is_empty()) {
    children.emplace_back("score", build_.make("Score", {own_parameters(*module.score), {}, {}}, {}, source_.score()));
  }
  return build_.make(type, {own_parameters(module), own_buffers(module), {}}, children, source);
}

TransformerScript::Module TransformerScript::feed_forward(families::PositionwiseFeedForwardImpl& module) {
  Children children{{"w_1", build_.linear(*module.w_1)},
                    {"w_2", build_.linear(*module.w_2)},
                    {"dropout", build_.dropout(module.dropout)}};
  if (!module.w_3.is_empty()) children.emplace_back("w_3", build_.linear(*module.w_3));
  return build_.make("PositionwiseFeedForward", {}, children, source_.feed_forward());
}

TransformerScript::Module TransformerScript::mixture_of_experts(families::MixtureOfExpertsImpl& module) {
  std::vector<Module> experts;
  for (size_t i = 0; i < module.experts->size(); ++i) {
    experts.push_back(feed_forward(*module.experts->ptr<families::PositionwiseFeedForwardImpl>(i)));
  }
  const Children children{{"router", build_.linear(*module.router)},
                          {"experts", build_.list("Experts", std::move(experts))}};
  return build_.make("MixtureOfExperts", {}, children, source_.mixture_of_experts());
}

template <typename Layer>
TransformerScript::Module TransformerScript::feed_forward_of(Layer& layer) {
  return layer.experts.is_empty() ? feed_forward(*layer.feed_forward) : mixture_of_experts(*layer.experts);
}

TransformerScript::Module TransformerScript::sublayers(torch::nn::ModuleList& modules, const std::string& type) {
  std::vector<Module> items;
  for (size_t i = 0; i < modules->size(); ++i) {
    auto& sublayer = *modules->ptr<families::SublayerConnectionImpl>(i);
    items.push_back(build_.make("SublayerConnection", {},
                                {{"norm", norm(*sublayer.norm)}, {"dropout", build_.dropout(sublayer.dropout)}}, ""));
  }
  return build_.list(type, std::move(items));
}

TransformerScript::Module TransformerScript::embed(torch::nn::Sequential modules, const std::string& side) {
  auto& embeddings = *modules->ptr<nn::EmbeddingsImpl>(0);
  auto& positions = *modules->ptr<nn::PositionalEncodingImpl>(1);
  const Module table = build_.embedding(*embeddings.lut);
  Children below{{"dropout", build_.dropout(positions.dropout)}};
  if (!positions.norm.is_empty()) below.emplace_back("norm", norm(*positions.norm));
  const ScriptBuilder::Tensors pe{own_parameters(positions), own_buffers(positions), {}};
  const Children children{{"0", build_.make("Embeddings", {}, {{"lut", table}}, source_.embeddings())},
                          {"1", build_.make("PositionalEncoding", pe, below, source_.positional_encoding())}};
  return build_.make("EmbedSequence" + side, {}, children, source_.embed_sequence());
}

template <typename Stack>
TransformerScript::Children TransformerScript::stack_children(Stack& stack, std::vector<Module> layers,
                                                              const std::string& type) {
  Children children{{"layers", build_.list(type, std::move(layers))}};
  if (options_.has_final_norm()) children.emplace_back("norm", norm(*stack.norm));
  if (options_.has_relative_bias()) {
    const bool causal = std::is_same_v<Stack, families::DecoderImpl>;
    const auto& bias = *stack.relative_bias;
    children.emplace_back(
        "relative_bias", build_.make(causal ? "DecoderRelativeBias" : "EncoderRelativeBias",
                                     {own_parameters(bias), own_buffers(bias), {}}, {}, source_.relative_bias(causal)));
  }
  return children;
}

TransformerScript::Module TransformerScript::encoder_layer(families::EncoderLayerImpl& layer) {
  const Children children{{"self_attn", self_attention(*layer.self_attn, /*causal=*/false)},
                          {"feed_forward", feed_forward_of(layer)},
                          {"sublayer", sublayers(layer.sublayer, "EncoderSublayers")}};
  return build_.make(layer.experts.is_empty() ? "EncoderLayer" : "EncoderLayerWithExperts", {}, children,
                     source_.encoder_layer());
}

/// Self-attention, or what is in its place.
std::pair<std::string, TransformerScript::Module> TransformerScript::decoder_block(families::DecoderLayerImpl& layer) {
  if (layer.ssru.is_empty()) return {"self_attn", self_attention(*layer.self_attn, /*causal=*/true)};
  const Children gates{{"input", build_.linear(*layer.ssru->input)}, {"forget", build_.linear(*layer.ssru->forget)}};
  return {"ssru", build_.make("Ssru", {}, gates, source_.ssru())};
}

TransformerScript::Module TransformerScript::decoder_layer(families::DecoderLayerImpl& layer) {
  const Children children{decoder_block(layer),
                          {"src_attn", attention(*layer.src_attn, /*causal=*/true)},
                          {"feed_forward", feed_forward_of(layer)},
                          {"sublayer", sublayers(layer.sublayer, "DecoderSublayers")}};
  return build_.make(layer.experts.is_empty() ? "DecoderLayer" : "DecoderLayerWithExperts",
                     {own_parameters(layer), {}, {}}, children, source_.decoder_layer());
}

TransformerScript::Children TransformerScript::children(const families::TransformerParts& parts) {
  families::EncoderImpl& encoder = *parts.encoder.ptr();
  families::DecoderImpl& decoder = *parts.decoder.ptr();
  std::vector<Module> encoder_layers, decoder_layers;
  for (size_t i = 0; i < encoder.layers->size(); ++i) {
    encoder_layers.push_back(encoder_layer(*encoder.layers->ptr<families::EncoderLayerImpl>(i)));
  }
  for (size_t i = 0; i < decoder.layers->size(); ++i) decoder_layers.push_back(decoder_layer(decoder.layer(i)));
  const auto encoder_children = stack_children(encoder, std::move(encoder_layers), "EncoderLayers");
  const auto decoder_children = stack_children(decoder, std::move(decoder_layers), "DecoderLayers");
  return {{"encoder", build_.make("Encoder", {}, encoder_children, source_.encoder())},
          {"decoder", build_.make("Decoder", {}, decoder_children, source_.decoder())},
          {"src_embed", embed(parts.src_embed, "Source")},
          {"tgt_embed", embed(parts.tgt_embed, "Target")},
          {"generator", build_.generator(*parts.generator.ptr()->proj)}};
}

TransformerScript::Module TransformerScript::encoder_decoder(families::EncoderDecoderImpl& model) {
  return build_.make("EncoderDecoder", {}, children(model.parts()), source_.encoder_decoder());
}

}  // namespace ventris::scripting
