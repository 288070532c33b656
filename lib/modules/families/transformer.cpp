#include "families/transformer.h"

#include <stdexcept>
#include <string>
#include <utility>

#include "core/special_ids.h"

namespace ventris::families {
namespace {

using torch::Tensor;

template <typename Layer>
torch::nn::ModuleList make_layers(const nn::TransformerOptions& options, int64_t count) {
  torch::nn::ModuleList list;
  for (int64_t i = 0; i < count; ++i) list->push_back(Layer(options, i));
  return list;
}

/// What all layers of a side add to the scores of x [batch, len, d_model]; undefined without `bias`.
Tensor bias_of(const attention::RelativeBias& bias, const Tensor& x) {
  return bias.is_empty() ? Tensor() : bias.ptr()->forward(x.size(1));
}

}  // namespace

EncoderImpl::EncoderImpl(const nn::TransformerOptions& options) {
  if (options.has_relative_bias()) {
    const auto buckets = architecture::RelativeBuckets::of_encoder(options);
    relative_bias = register_module("relative_bias", attention::RelativeBias(buckets, options.heads));
  }
  layers = register_module("layers", make_layers<EncoderLayer>(options, options.encoder_layers));
  if (options.has_final_norm()) norm = register_module("norm", nn::Norm(options));
}

Tensor EncoderImpl::forward(Tensor x, const Tensor& mask, std::vector<Tensor>* outputs) {
  const Tensor bias = bias_of(relative_bias, x);
  for (size_t i = 0; i < layers->size(); ++i) {
    x = layers->ptr<EncoderLayerImpl>(i)->forward(x, mask, bias);
    if (outputs != nullptr) outputs->push_back(x);
  }
  return norm.is_empty() ? x : norm(x);
}

DecoderImpl::DecoderImpl(const nn::TransformerOptions& settings) : d_model_(settings.d_model) {
  const nn::TransformerOptions options = settings.decoder_side();
  if (options.has_relative_bias()) {
    const auto buckets = architecture::RelativeBuckets::of_decoder(options);
    relative_bias = register_module("relative_bias", attention::RelativeBias(buckets, options.heads));
  }
  layers = register_module("layers", make_layers<DecoderLayer>(options, options.decoder_layers));
  if (options.has_final_norm()) norm = register_module("norm", nn::Norm(options));
}

Tensor DecoderImpl::forward(Tensor x, const Tensor& memory, const Tensor& src_mask, const Tensor& tgt_mask) {
  const Tensor bias = bias_of(relative_bias, x);
  return run(std::move(x), [&](size_t i, const Tensor& y) {
    return layer(i).forward(y, memory_of(i, memory), src_mask, tgt_mask, bias);
  });
}

Tensor DecoderImpl::memory_of(size_t i, const Tensor& memory) const {
  return memory.size(2) == d_model_ ? memory : memory.narrow(2, static_cast<int64_t>(i) * d_model_, d_model_);
}

Tensor DecoderImpl::run(Tensor x, const std::function<Tensor(size_t, const Tensor&)>& run_layer) {
  for (size_t i = 0; i < layers->size(); ++i) x = run_layer(i, x);
  return norm.is_empty() ? x : norm(x);
}

namespace {

torch::nn::Sequential make_embeddings(const nn::TransformerOptions& options, int64_t vocab, int64_t positions) {
  nn::TransformerOptions sized = options;
  sized.max_positions = positions;
  return torch::nn::Sequential(nn::Embeddings(options, vocab), nn::PositionalEncoding(sized));
}

void tie(const nn::TransformerOptions& options, TransformerParts& parts) {
  if (options.tying == nn::Tying::kNone) return;
  auto& source = *parts.src_embed->ptr<nn::EmbeddingsImpl>(0)->lut;
  auto& target = *parts.tgt_embed->ptr<nn::EmbeddingsImpl>(0)->lut;
  if (options.tying == nn::Tying::kAll) target.share_weight(source.weight);
  parts.generator->proj->share_weight(target.weight);
}

/// What the decoder sees of the encoder's layers [batch, src_len, d_model]; `last` is the output of the encoder. With
/// pre-LN, the final norm of the encoder is applied to every layer, so that all have the scale of the last one.
Tensor decoder_memory(const TransformerParts& parts, const nn::TransformerOptions& options, const Tensor& last,
                      const std::vector<Tensor>& layers) {
  if (options.cross_attention == nn::CrossAttention::kLast) return last;
  std::vector<Tensor> outputs(layers.begin(), layers.end() - 1);
  if (nn::Norm norm = parts.encoder->norm; !norm.is_empty()) {
    for (Tensor& output : outputs) output = norm(output);
  }
  outputs.push_back(last);
  if (options.cross_attention == nn::CrossAttention::kMean) return at::stack(outputs).mean(0);
  const bool weighted = options.cross_attention == nn::CrossAttention::kWeighted;
  const Tensor all = weighted ? at::stack(outputs) : Tensor();  // [layers, batch, src_len, d_model]
  std::vector<Tensor> seen;
  for (int64_t i = 0; i < options.decoder_layers; ++i) {
    if (options.cross_attention == nn::CrossAttention::kLayerwise) {
      seen.push_back(outputs[static_cast<size_t>(architecture::attended_layer(options, i))]);
    } else {
      const Tensor weights = parts.decoder->layer(static_cast<size_t>(i)).src_mixture.softmax(0).view({-1, 1, 1, 1});
      seen.push_back((all * weights).sum(0));
    }
  }
  return at::cat(seen, 2);  // [batch, src_len, decoder_layers * d_model]
}

Tensor target_table(const TransformerParts& parts) { return parts.tgt_embed->ptr<nn::EmbeddingsImpl>(0)->lut->weight; }

/// No update changes the row of bos.
void keep_start(const TransformerParts& parts) {
  target_table(parts).register_hook([](const Tensor& gradient) {
    Tensor kept = gradient.clone();
    kept[core::SpecialIds{}.bos].zero_();
    return kept;
  });
}

}  // namespace

TransformerParts TransformerParts::make(const nn::TransformerOptions& options, int64_t tgt_positions) {
  if (options.tying == nn::Tying::kAll && options.src_vocab != options.tgt_vocab) {
    throw std::invalid_argument("EncoderDecoder: tying all embeddings needs one vocabulary, got " +
                                std::to_string(options.src_vocab) + " source and " + std::to_string(options.tgt_vocab) +
                                " target tokens");
  }
  TransformerParts parts{
      Encoder(options), Decoder(options), make_embeddings(options, options.src_vocab, options.max_positions),
      make_embeddings(options, options.tgt_vocab, tgt_positions), nn::Generator(options.d_model, options.tgt_vocab)};
  tie(options, parts);
  return parts;
}

nn::Memory encode_source(const TransformerParts& parts, const nn::TransformerOptions& options, const Tensor& src,
                         const Tensor& src_mask) {
  Encoder encoder = parts.encoder;
  torch::nn::Sequential embed = parts.src_embed;
  nn::Memory memory;
  const Tensor last = encoder->forward(embed->forward(src), src_mask, &memory.layers);
  memory.states = decoder_memory(parts, options, last, memory.layers);
  memory.output = last;
  memory.mask = src_mask;
  return memory;
}

nn::AttentionBlocks attention_blocks_of(const Encoder& encoder, const Decoder& decoder) {
  nn::AttentionBlocks blocks;
  for (size_t i = 0; i < encoder->layers->size(); ++i) {
    blocks.encoder.push_back(encoder->layers->ptr<EncoderLayerImpl>(i)->self_attn.get());
  }
  for (size_t i = 0; i < decoder->layers->size(); ++i) {
    const DecoderLayerImpl& layer = decoder->layer(i);
    if (!layer.self_attn.is_empty()) blocks.decoder.push_back(layer.self_attn.get());
    blocks.cross.push_back(layer.src_attn.get());
  }
  return blocks;
}

EncoderDecoderImpl::EncoderDecoderImpl(const nn::TransformerOptions& settings) : options(settings) {
  const TransformerParts made = TransformerParts::make(options, options.max_positions);
  encoder = register_module("encoder", made.encoder);
  decoder = register_module("decoder", made.decoder);
  src_embed = register_module("src_embed", made.src_embed);
  tgt_embed = register_module("tgt_embed", made.tgt_embed);
  generator = register_module("generator", made.generator);
  if (options.zero_start) keep_start(made);
}

void EncoderDecoderImpl::initialise() {
  nn::Seq2SeqImpl::initialise();
  if (options.zero_start) target_table(parts()).detach()[core::SpecialIds{}.bos].zero_();
}

nn::Memory EncoderDecoderImpl::encode(const Tensor& src, const Tensor& src_mask) {
  return encode_source(parts(), options, src, src_mask);
}

Tensor EncoderDecoderImpl::decode(const nn::Memory& memory, const Tensor& tgt, const Tensor& tgt_mask) {
  return decoder->forward(tgt_embed->forward(tgt), memory.states, memory.mask, tgt_mask);
}

nn::AttentionBlocks EncoderDecoderImpl::attention_blocks() const {
  nn::AttentionBlocks blocks = attention_blocks_of(encoder, decoder);
  if (options.self_attention == nn::SelfAttention::kLowRank) blocks.encoder.clear();
  return blocks;
}

nn::RoutedBlocks EncoderDecoderImpl::routed_blocks() const {
  nn::RoutedBlocks blocks{.encoder = {}, .decoder = {}, .balance = options.expert_balance};
  const auto add = [](const MixtureOfExperts& experts, std::vector<const nn::RoutedBlock*>& to) {
    if (!experts.is_empty()) to.push_back(experts.get());
  };
  for (size_t i = 0; i < encoder->layers->size(); ++i) {
    add(encoder->layers->ptr<EncoderLayerImpl>(i)->experts, blocks.encoder);
  }
  for (size_t i = 0; i < decoder->layers->size(); ++i) add(decoder->layer(i).experts, blocks.decoder);
  return blocks;
}

EncoderDecoder make_model(const nn::TransformerOptions& options) {
  EncoderDecoder model(options);
  model->initialise();
  return model;
}

}  // namespace ventris::families
