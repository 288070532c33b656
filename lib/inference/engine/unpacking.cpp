#include "engine/unpacking.h"

#include <map>
#include <string_view>
#include <vector>

#include "architecture/transformer_parts.h"
#include "core/error.h"
#include "engine/packed_file.h"
#include "layers/packed_parts.h"

namespace ventris::engine {
namespace {

using architecture::AttentionScore;
using architecture::CrossAttention;
using architecture::SelfAttention;
using architecture::TransformerOptions;
using arithmetic::Elements;
using arithmetic::kPanel;
using arithmetic::Matrix;
using layers::LinearPart;
using layers::MatrixPart;
using layers::PackedParts;
using layers::VectorPart;

/// Collects the tensors of a bundle.
class Unpacker {
 public:
  void matrix(const MatrixPart& part, const Matrix& matrix) {
    int64_t first = 0;
    for (const LinearPart& layer : part.layers) {
      found_[layer.name + ".weight"] = rows(matrix, first, layer);
      first += layer.outputs;
    }
    biases(part, matrix);
  }
  void shared(const MatrixPart& part, const Matrix& matrix, const Matrix& /*other*/) { biases(part, matrix); }
  void vector(const VectorPart& part, const Elements<float>& elements) {
    found_[part.tensor] = std::vector<float>(elements.begin(), elements.end());
  }
  template <typename Layer>
  const Layer& layer(const std::vector<Layer>& layers, int64_t i) const {
    return layers[static_cast<size_t>(i)];
  }

  const std::vector<float>& found(const std::string& name) const { return found_.at(name); }

 private:
  /// What the weights of a layer were multiplied with.
  static float factor(const LinearPart& layer) {
    return layer.score.empty() ? 1.0F : layers::query_factor(*layer.side);
  }

  void biases(const MatrixPart& part, const Matrix& matrix) {
    const float* next = matrix.bias().data();
    for (const LinearPart& layer : part.layers) {
      if (layer.bias) {
        std::vector<float>& bias = found_[layer.name + ".bias"];
        bias.assign(next, next + layer.outputs);
        for (float& value : bias) value /= factor(layer);
      }
      if (next != nullptr) next += layer.outputs;
    }
  }

  /// The weights of outputs [outputs, inputs]. A matrix has them in panels of kPanel outputs, one input after the
  /// other.
  std::vector<float> rows(const Matrix& matrix, int64_t first, const LinearPart& layer) const {
    std::vector<float> unpacked(static_cast<size_t>(layer.outputs * matrix.k()));
    Matrix::visit(matrix, [&](std::string_view /*name*/, const auto& elements, const std::vector<int64_t>& /*shape*/) {
      for (int64_t row = 0; row < layer.outputs; ++row) {
        const int64_t panel = (first + row) / kPanel, column = (first + row) % kPanel;
        const auto* from = elements.data() + panel * matrix.k() * kPanel + column;
        for (int64_t i = 0; i < matrix.k(); ++i) {
          unpacked[static_cast<size_t>(row * matrix.k() + i)] = static_cast<float>(from[i * kPanel]) / factor(layer);
        }
      }
    });
    return unpacked;
  }

  std::map<std::string, std::vector<float>> found_;
};

/// The options of a model whose packed weights can be turned back.
const TransformerOptions& options_of(const model::ModelConfig& config, const model::Safetensors& packed) {
  const auto refuse = [&](const std::string& setting, const std::string& expected) {
    fail<ModelError>(packed.where(), ": ", setting, ": only models with ", expected,
                     " can be turned back into a bundle; ", "give the bundle from which the packed model was made");
  };
  const auto* transformer = dynamic_cast<const architecture::TransformerArchitecture*>(config.architecture.get());
  if (transformer == nullptr || transformer->family() != "transformer") refuse("architecture", "'transformer'");
  if (packed_precision(packed) != Precision::kF32) refuse("precision", "'f32'");
  const TransformerOptions& options = transformer->options;
  const bool dot =
      options.attention_score == AttentionScore::kScaledDot || options.attention_score == AttentionScore::kDot;
  if (!dot) refuse("model.attention_score", "'scaled_dot' or 'dot'");
  const bool whole = options.self_attention == SelfAttention::kFull ||
                     options.self_attention == SelfAttention::kWindow || options.has_ssru();
  if (!whole) refuse("model.self_attention", "'full', 'window' or 'ssru'");
  if (options.cross_attention == CrossAttention::kWeighted)
    refuse("model.cross_attention", "other values than 'weighted'");
  return options;
}

}  // namespace

std::string unpack_weights(const model::ModelConfig& config, const model::Safetensors& packed) {
  const TransformerOptions& options = options_of(config, packed);
  const TransformerWeights weights = from_packed(options, packed);
  Unpacker unpacker;
  PackedParts(weights, unpacker, options.max_positions).all();
  std::vector<model::TensorView> views;
  std::map<std::string, std::string> metadata{{"format", "pt"}};
  const auto tied = architecture::tied_tensors(options.tying);
  config.architecture->each_tensor([&](const std::string& name, const std::vector<int64_t>& shape) {
    const auto other = tied.find(name);
    if (other != tied.end()) {
      metadata["alias:" + name] = other->second;
      return;
    }
    const std::vector<float>& values = unpacker.found(name);
    const auto* bytes = reinterpret_cast<const char*>(values.data());
    views.push_back({name, model::DType::kF32, shape, {bytes, sizeof(float) * values.size()}});
  });
  return model::write_safetensors(views, metadata);
}

}  // namespace ventris::engine
