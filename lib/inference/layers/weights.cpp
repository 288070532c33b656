#include "layers/weights.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "architecture/sinusoids.h"
#include "core/error.h"
#include "layers/tensor_reader.h"

namespace ventris::layers {
namespace {

using arithmetic::padded_bias;

using architecture::CrossAttention;
using architecture::NormKind;
using architecture::Positions;
using architecture::TransformerOptions;

class Packer : public TensorReader {
 public:
  Packer(const TransformerOptions& options, const model::Safetensors& file, Precision precision)
      : TensorReader(file, precision), options_(options) {}

  Norm norm(const std::string& name) const {
    Norm found{read(name + ".weight", {options_.d_model}), {}};
    if (options_.norm_kind == NormKind::kLayer) found.bias = read(name + ".bias", {options_.d_model});
    return found;
  }

  /// The output layer, which may share the weights of an embedding.
  Matrix generator(const std::string& name, const Matrix& embedding) const {
    if (options_.tying == architecture::Tying::kNone) return linear(name, embedding.n(), embedding.k());
    return {embedding, padded_bias(values(name + ".bias", {embedding.n()}).data(), embedding.n())};
  }

  FeedForward feed_forward(const std::string& name) const {
    FeedForward made{linear(name + ".w_1", options_.d_ff, options_.d_model),
                     linear(name + ".w_2", options_.d_model, options_.d_ff),
                     {}};
    if (options_.gated_feed_forward) made.w_3 = linear(name + ".w_3", options_.d_ff, options_.d_model);
    return made;
  }

  const TransformerOptions& options() const { return options_; }
  ReadTensor reader() const {
    return [this](const std::string& name, const std::vector<int64_t>& shape) { return read(name, shape); };
  }

  /// The projections first to last of an attention block side by side: 0 = queries, 1 = keys, 2 = values.
  Matrix projections(const std::string& name, int first, int last) const {
    std::vector<float> weight, bias;
    int64_t n = 0;
    for (int i = first; i <= last; ++i) {
      const std::string part = name + ".linears." + std::to_string(i);
      const int64_t out = options_.heads * (i == 2 ? options_.value_width() : options_.key_width());
      append(weight, read(part + ".weight", {out, options_.d_model}), name, i);
      if (options_.attention_bias) append(bias, read(part + ".bias", {out}), name, i);
      n += out;
    }
    return {weight.data(), bias.empty() ? nullptr : bias.data(), n, options_.d_model, precision()};
  }

  /// The layers of an SSRU side by side. That of the input has no bias.
  Matrix ssru(const std::string& name) const {
    const int64_t width = options_.d_model;
    std::vector<float> weight = read(name + ".input.weight", {width, width}), bias(static_cast<size_t>(width), 0.0F);
    const std::vector<float> forget = read(name + ".forget.weight", {width, width}),
                             forget_bias = read(name + ".forget.bias", {width});
    weight.insert(weight.end(), forget.begin(), forget.end());
    bias.insert(bias.end(), forget_bias.begin(), forget_bias.end());
    return {weight.data(), bias.data(), 2 * width, width, precision()};
  }

  Matrix output(const std::string& name) const {
    const std::string last = name + ".linears.3";
    const int64_t in = options_.heads * options_.value_width();
    std::vector<float> bias;
    if (options_.attention_bias) bias = read(last + ".bias", {options_.d_model});
    return {values(last + ".weight", {options_.d_model, in}).data(), bias.empty() ? nullptr : bias.data(),
            options_.d_model, in, precision()};
  }

  std::vector<Norm> norms(const std::string& layer, int count) const {
    std::vector<Norm> found;
    for (int i = 0; i < count; ++i) found.push_back(norm(layer + ".sublayer." + std::to_string(i) + ".norm"));
    return found;
  }

  /// Of a side.
  std::vector<float> relative_bias(const std::string& side) const {
    if (!options_.has_relative_bias()) return {};
    return read(side + ".relative_bias.weight", {options_.bucket_count(), options_.heads});
  }

  std::vector<float> mixture(const std::string& layer) const {
    if (options_.cross_attention != CrossAttention::kWeighted) return {};
    std::vector<float> weights = read(layer + ".src_mixture", {options_.encoder_layers});
    const float largest = *std::max_element(weights.begin(), weights.end());
    float sum = 0;
    for (float& weight : weights) sum += weight = std::exp(weight - largest);
    for (float& weight : weights) weight /= sum;
    return weights;
  }

  /// `positions`: those that this side may have. `other`: the embedding of the other side, whose tables are taken if
  /// they are the same; null = there is none.
  Embedding embedding(const std::string& name, int64_t vocab, int64_t positions, const Embedding* other) const {
    const bool tied = other != nullptr && options_.tying == architecture::Tying::kAll;
    Embedding made;
    made.tokens = tied ? other->tokens : table(name + ".0.lut.weight", vocab, options_.d_model);
    if (options_.positions == Positions::kLearned) {
      made.positions = read(name + ".1.pe", {1, positions, options_.d_model});
    }
    if (options_.embedding_norm) made.norm = norm(name + ".1.norm");
    return made;
  }

 private:
  void append(std::vector<float>& all, std::vector<float> part, const std::string& block, int which) const {
    if (which == 0) adapt_queries(options_, block, reader(), part);
    all.insert(all.end(), part.begin(), part.end());
  }

  const TransformerOptions& options_;
};

EncoderLayer encoder_layer(const Packer& packer, const std::string& name) {
  return {packer.projections(name + ".self_attn", 0, 2), packer.output(name + ".self_attn"),
          packer.feed_forward(name + ".feed_forward"), packer.norms(name, 2),
          pack_self_attention(packer.options(), name + ".self_attn", Side::kEncoder, packer.reader())};
}

DecoderLayer decoder_layer(const Packer& packer, const std::string& name) {
  const std::string self = name + ".self_attn", source = name + ".src_attn";
  DecoderLayer layer;
  if (packer.options().has_ssru()) {
    layer.ssru = packer.ssru(name + ".ssru");
  } else {
    layer.query_key_value = packer.projections(self, 0, 2);
    layer.output = packer.output(self);
    layer.self_attention = pack_self_attention(packer.options(), self, Side::kDecoder, packer.reader());
  }
  layer.source_query = packer.projections(source, 0, 0);
  layer.source_key_value = packer.projections(source, 1, 2);
  layer.source_output = packer.output(source);
  layer.source_score = pack_score(packer.options(), source, packer.reader());
  layer.feed_forward = packer.feed_forward(name + ".feed_forward");
  layer.norms = packer.norms(name, 3);
  layer.mixture = packer.mixture(name);
  return layer;
}

void check_inputs(const TransformerOptions& options, Precision precision) {
  if (precision != Precision::kInt8 || most_inputs(options) <= kMostInt8Inputs) return;
  fail<ConfigError>("precision int8: takes layers of at most ", kMostInt8Inputs, " inputs, but this model has ",
                    most_inputs(options), "; use f32 or bf16");
}

}  // namespace

int64_t most_inputs(const TransformerOptions& options) {
  return std::max({options.d_model, options.d_ff, options.heads * options.value_width()});
}

namespace {

template <typename Layer>
void add_relative_bias(const architecture::RelativeBuckets& buckets, int64_t heads, const Elements<float>& table,
                       std::vector<Layer>& layers) {
  if (table.empty()) return;  // of a decoder that is not there yet
  const auto bias = std::make_shared<const RelativeBias>(buckets, heads, table.data());
  for (Layer& layer : layers) layer.self_attention.relative_bias = bias;
}

}  // namespace

void add_positions(TransformerWeights& weights) {
  using architecture::RelativeBuckets;
  switch (weights.options.positions) {
    case Positions::kSinusoidal:
      weights.source.sinusoids = weights.target.sinusoids =
          std::make_shared<const architecture::Sinusoids>(weights.options.d_model);
      return;
    case Positions::kHalvedSinusoidal:
      weights.source.sinusoids = weights.target.sinusoids =
          std::make_shared<const architecture::HalvedSinusoids>(weights.options.d_model);
      return;
    case Positions::kRotary: {
      const auto rotation = std::make_shared<const Rotation>(weights.options.key_width());
      for (EncoderLayer& layer : weights.encoder) layer.self_attention.rotation = rotation;
      for (DecoderLayer& layer : weights.decoder) layer.self_attention.rotation = rotation;
      return;
    }
    case Positions::kRelativeBias:
      add_relative_bias(RelativeBuckets::of_encoder(weights.options), weights.options.heads, weights.encoder_bias,
                        weights.encoder);
      add_relative_bias(RelativeBuckets::of_decoder(weights.options), weights.options.heads, weights.decoder_bias,
                        weights.decoder);
      return;
    case Positions::kLearned:
    case Positions::kRelative: return;
  }
}

TransformerWeights pack_encoder(const TransformerOptions& options, const model::Safetensors& file,
                                Precision precision) {
  check_inputs(options, precision);
  const Packer packer(options, file, precision);
  TransformerWeights weights;
  weights.options = options;
  weights.source = packer.embedding("src_embed", options.src_vocab, options.max_positions, nullptr);
  weights.encoder = pack_encoder_layers(options, file, precision);
  weights.encoder_bias = packer.relative_bias("encoder");
  add_positions(weights);
  if (options.has_final_norm()) weights.encoder_norm = packer.norm("encoder.norm");
  return weights;
}

std::vector<EncoderLayer> pack_encoder_layers(const TransformerOptions& options, const model::Safetensors& file,
                                              Precision precision) {
  check_inputs(options, precision);
  const Packer packer(options, file, precision);
  std::vector<EncoderLayer> layers;
  for (int64_t i = 0; i < options.encoder_layers; ++i) {
    layers.push_back(encoder_layer(packer, "encoder.layers." + std::to_string(i)));
  }
  return layers;
}

TransformerWeights pack_weights(const ModelShape& shape, const model::Safetensors& file, Precision precision) {
  const TransformerOptions& options = shape.options;
  const Packer packer(options, file, precision);
  TransformerWeights weights = pack_encoder(options, file, precision);
  weights.target = packer.embedding("tgt_embed", options.tgt_vocab, shape.target_positions, &weights.source);
  for (int64_t i = 0; i < options.decoder_layers; ++i) {
    weights.decoder.push_back(decoder_layer(packer, "decoder.layers." + std::to_string(i)));
  }
  if (options.has_final_norm()) weights.decoder_norm = packer.norm("decoder.norm");
  weights.decoder_bias = packer.relative_bias("decoder");
  add_positions(weights);
  weights.generator = packer.generator("generator.proj", weights.target.tokens);
  if (shape.length_classes > 0) {
    const Packer exact(options, file, Precision::kF32);  // one row for each sentence: nothing to save
    weights.length = exact.linear("length.proj", shape.length_classes, options.d_model);
  }
  return weights;
}

}  // namespace ventris::layers
