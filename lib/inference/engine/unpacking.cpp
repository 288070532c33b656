#include "engine/unpacking.h"

#include <cmath>
#include <map>
#include <string_view>
#include <vector>

#include "architecture/transformer_parts.h"
#include "core/error.h"
#include "engine/packed_file.h"

namespace ventris::engine {
namespace {

using architecture::AttentionScore;
using architecture::CrossAttention;
using architecture::SelfAttention;
using architecture::TransformerOptions;
using arithmetic::Elements;
using arithmetic::kPanel;
using arithmetic::Matrix;

/// A part of the outputs of a matrix: the name of the layer, its outputs, and what its weights were multiplied with.
struct Part {
  std::string name;
  int64_t outputs = 0;
  float factor = 1;
};

/// Collects the tensors of a bundle.
class Unpacker {
 public:
  explicit Unpacker(const TransformerWeights& weights) : weights_(weights), options_(weights.options) {}

  std::map<std::string, std::vector<float>> run() {
    embedding("src_embed", weights_.source);
    embedding("tgt_embed", weights_.target);
    for (size_t i = 0; i < weights_.encoder.size(); ++i) {
      const std::string name = "encoder.layers." + std::to_string(i);
      common(name, weights_.encoder[i]);
      self_attention(name, weights_.encoder[i]);
    }
    for (size_t i = 0; i < weights_.decoder.size(); ++i) {
      const auto& layer = weights_.decoder[i];
      const std::string name = "decoder.layers." + std::to_string(i), attention = name + ".src_attn.linears.";
      common(name, layer);
      if (options_.has_ssru()) {
        linear(layer.ssru, {{name + ".ssru.input", options_.d_model}, {name + ".ssru.forget", options_.d_model}});
      } else {
        self_attention(name, layer);
      }
      linear(layer.source_query, {queries(attention + "0")});
      linear(layer.source_key_value, {{attention + "1", keys()}, {attention + "2", values()}});
      linear(layer.source_output, {{attention + "3", options_.d_model}});
    }
    norm("encoder.norm", weights_.encoder_norm);
    norm("decoder.norm", weights_.decoder_norm);
    vector("encoder.relative_bias.weight", weights_.encoder_bias);
    vector("decoder.relative_bias.weight", weights_.decoder_bias);
    linear(weights_.generator, {{"generator.proj", options_.tgt_vocab}});
    return std::move(found_);
  }

 private:
  int64_t keys() const { return options_.heads * options_.key_width(); }
  int64_t values() const { return options_.heads * options_.value_width(); }
  Part queries(const std::string& name) const {
    const bool scaled = options_.attention_score == AttentionScore::kScaledDot;
    return {name, keys(), scaled ? 1.0F / std::sqrt(static_cast<float>(options_.key_width())) : 1.0F};
  }

  /// What encoder and decoder layers have in common.
  template <typename Layer>
  void common(const std::string& name, const Layer& layer) {
    linear(layer.feed_forward.w_1, {{name + ".feed_forward.w_1", options_.d_ff}});
    linear(layer.feed_forward.w_2, {{name + ".feed_forward.w_2", options_.d_model}});
    if (options_.gated_feed_forward) linear(layer.feed_forward.w_3, {{name + ".feed_forward.w_3", options_.d_ff}});
    for (size_t i = 0; i < layer.norms.size(); ++i)
      norm(name + ".sublayer." + std::to_string(i) + ".norm", layer.norms[i]);
  }

  template <typename Layer>
  void self_attention(const std::string& name, const Layer& layer) {
    const std::string attention = name + ".self_attn.linears.";
    linear(layer.query_key_value, {queries(attention + "0"), {attention + "1", keys()}, {attention + "2", values()}});
    linear(layer.output, {{attention + "3", options_.d_model}});
  }

  void embedding(const std::string& name, const layers::Embedding& embedding) {
    found_[name + ".0.lut.weight"] = rows(embedding.tokens, 0, {"", embedding.tokens.n()});
    vector(name + ".1.pe", embedding.positions);
    norm(name + ".1.norm", embedding.norm);
  }
  void norm(const std::string& name, const layers::Norm& norm) {
    vector(name + ".weight", norm.weight);
    vector(name + ".bias", norm.bias);
  }
  void vector(const std::string& name, const Elements<float>& elements) {
    found_[name] = std::vector<float>(elements.begin(), elements.end());
  }

  /// Layers whose outputs are side by side in a matrix.
  void linear(const Matrix& matrix, const std::vector<Part>& parts) {
    int64_t first = 0;
    for (const Part& part : parts) {
      found_[part.name + ".weight"] = rows(matrix, first, part);
      std::vector<float>& bias = found_[part.name + ".bias"];
      if (!matrix.bias().empty())
        bias.assign(matrix.bias().begin() + first, matrix.bias().begin() + first + part.outputs);
      for (float& value : bias) value /= part.factor;
      first += part.outputs;
    }
  }

  /// The weights of outputs [outputs, inputs]. A matrix has them in panels of kPanel outputs, one input after the
  /// other.
  static std::vector<float> rows(const Matrix& matrix, int64_t first, const Part& part) {
    std::vector<float> unpacked(static_cast<size_t>(part.outputs * matrix.k()));
    Matrix::visit(matrix, [&](std::string_view /*name*/, const auto& elements, const std::vector<int64_t>& /*shape*/) {
      for (int64_t row = 0; row < part.outputs; ++row) {
        const int64_t panel = (first + row) / kPanel, column = (first + row) % kPanel;
        const auto* from = elements.data() + panel * matrix.k() * kPanel + column;
        for (int64_t i = 0; i < matrix.k(); ++i) {
          unpacked[static_cast<size_t>(row * matrix.k() + i)] = static_cast<float>(from[i * kPanel]) / part.factor;
        }
      }
    });
    return unpacked;
  }

  const TransformerWeights& weights_;
  const TransformerOptions& options_;
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
  const auto found = Unpacker(weights).run();
  std::vector<model::TensorView> views;
  std::map<std::string, std::string> metadata{{"format", "pt"}};
  const auto tied = architecture::tied_tensors(options.tying);
  config.architecture->each_tensor([&](const std::string& name, const std::vector<int64_t>& shape) {
    const auto other = tied.find(name);
    const std::vector<float>& values = found.at(name);
    if (other != tied.end()) {
      metadata["alias:" + name] = other->second;
    } else {
      views.push_back({name,
                       model::DType::kF32,
                       shape,
                       {reinterpret_cast<const char*>(values.data()), sizeof(float) * values.size()}});
    }
  });
  return model::write_safetensors(views, metadata);
}

}  // namespace ventris::engine
