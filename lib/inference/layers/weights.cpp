#include "layers/weights.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "architecture/sinusoids.h"
#include "core/error.h"
#include "layers/packed_parts.h"
#include "layers/tensor_reader.h"

namespace ventris::layers {
namespace {

using architecture::Positions;
using architecture::TransformerOptions;

/// Packs the tensors of a bundle.
class Packer : public TensorReader {
 public:
  using TensorReader::TensorReader;

  void matrix(const MatrixPart& part, Matrix& matrix) const {
    const LinearPart& first = part.layers.front();
    if (part.layers.size() == 1 && first.score.empty()) {  // without a copy
      matrix = packed(part, values(first.name + ".weight", {first.outputs, part.inputs}).data());
      return;
    }
    std::vector<float> weight;
    for (const LinearPart& layer : part.layers) append(weight, layer, ".weight", {layer.outputs, part.inputs});
    matrix = packed(part, weight.data());
  }

  void shared(const MatrixPart& part, Matrix& matrix, const Matrix& other) const {
    matrix = other;
    if (!part.bias()) return;
    const TensorValues bias = values(part.layers.front().name + ".bias", {other.n()});
    matrix = {other, arithmetic::padded_bias(bias.data(), other.n())};
  }

  void vector(const VectorPart& part, Elements<float>& elements) const {
    std::vector<float> found = read(part.tensor, part.shape);
    if (part.prepare != nullptr) part.prepare(*part.side, found);
    elements = std::move(found);
  }

  template <typename Layer>
  Layer& layer(std::vector<Layer>& layers, int64_t /*i*/) const {
    return layers.emplace_back();
  }

 private:
  Matrix packed(const MatrixPart& part, const float* weight) const {
    const std::vector<float> bias = bias_of(part);
    return {weight, bias.empty() ? nullptr : bias.data(), part.outputs(), part.inputs,
            part.exact ? Precision::kF32 : precision()};
  }

  /// Empty if there is none.
  std::vector<float> bias_of(const MatrixPart& part) const {
    std::vector<float> bias;
    if (!part.bias()) return bias;
    for (const LinearPart& layer : part.layers) {
      if (layer.bias) {
        append(bias, layer, ".bias", {layer.outputs});
      } else {
        bias.resize(bias.size() + static_cast<size_t>(layer.outputs));
      }
    }
    return bias;
  }

  void append(std::vector<float>& all, const LinearPart& layer, const char* tensor,
              const std::vector<int64_t>& shape) const {
    const ReadTensor reader = [this](const std::string& name, const std::vector<int64_t>& of) {
      return read(name, of);
    };
    std::vector<float> part = read(layer.name + tensor, shape);
    if (!layer.score.empty()) adapt_queries(*layer.side, layer.score, reader, part);
    all.insert(all.end(), part.begin(), part.end());
  }
};

void check_inputs(const TransformerOptions& options, Precision precision) {
  if (precision != Precision::kInt8 || most_inputs(options) <= kMostInt8Inputs) return;
  fail<ConfigError>("precision int8: takes layers of at most ", kMostInt8Inputs, " inputs, but this model has ",
                    most_inputs(options), "; use f32 or bf16");
}

}  // namespace

int64_t most_inputs(const TransformerOptions& options) {
  int64_t most = options.d_model;
  for (const TransformerOptions& side : {options.encoder_side(), options.decoder_side()}) {
    most = std::max({most, side.d_ff, side.heads * side.value_width()});
  }
  return most;
}

namespace {

template <typename Layer>
void add_rotation(int64_t width, std::vector<Layer>& layers) {
  const auto rotation = std::make_shared<const Rotation>(width);
  for (Layer& layer : layers) layer.self_attention.rotation = rotation;
}

template <typename Layer>
void add_relative_bias(const architecture::RelativeBuckets& buckets, int64_t heads, const Elements<float>& table,
                       std::vector<Layer>& layers) {
  if (table.empty()) return;  // of a decoder that is not there
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
    case Positions::kRotary:
      add_rotation(weights.options.key_width(), weights.encoder);
      add_rotation(weights.decoder_options.key_width(), weights.decoder);
      return;
    case Positions::kRelativeBias:
      add_relative_bias(RelativeBuckets::of_encoder(weights.options), weights.options.heads, weights.encoder_bias,
                        weights.encoder);
      add_relative_bias(RelativeBuckets::of_decoder(weights.options), weights.decoder_options.heads,
                        weights.decoder_bias, weights.decoder);
      return;
    case Positions::kLearned:
    case Positions::kRelative: return;
  }
}

TransformerWeights pack_encoder(const TransformerOptions& options, const model::Safetensors& file,
                                Precision precision) {
  check_inputs(options, precision);
  TransformerWeights weights(options);
  const Packer packer(file, precision);
  PackedParts(weights, packer).encoder();
  add_positions(weights);
  return weights;
}

std::vector<EncoderLayer> pack_encoder_layers(const TransformerOptions& options, const model::Safetensors& file,
                                              Precision precision) {
  check_inputs(options, precision);
  TransformerWeights weights(options);
  const Packer packer(file, precision);
  PackedParts(weights, packer).encoder_layers();
  return std::move(weights.encoder);
}

TransformerWeights pack_weights(const ModelShape& shape, const model::Safetensors& file, Precision precision) {
  check_inputs(shape.options, precision);
  TransformerWeights weights(shape.options);
  const Packer packer(file, precision);
  PackedParts(weights, packer, shape.target_positions, shape.length_classes).all();
  add_positions(weights);
  return weights;
}

}  // namespace ventris::layers
