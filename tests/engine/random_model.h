#pragma once
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "architecture/transformer_nat_options.h"
#include "architecture/transformer_options.h"
#include "architecture/transformer_parts.h"
#include "model/model_config.h"
#include "model/safetensors.h"
#include "support/random_numbers.h"

namespace ventris::test {

/// The settings and the weights of a model.
struct RandomModel {
  model::ModelConfig config;
  std::string weights;  ///< the bytes of a safetensors file

  model::Safetensors file() const { return model::Safetensors::parse(weights, "weights"); }
};

/// Matrices are drawn from the xavier-uniform distribution; gains are near 1, and all other vectors near 0.
inline std::vector<float> random_tensor(const std::string& name, const std::vector<int64_t>& shape,
                                        RandomNumbers& random) {
  std::vector<float> values = random.values(model::elements_of(shape));  // in [-2, 2]
  const bool matrix = shape.size() > 1;
  const double limit = matrix ? std::sqrt(6.0 / static_cast<double>(shape.front() + shape.back())) : 0.2;
  const float offset = name.ends_with("norm.weight") || name.ends_with("LayerNorm.weight") ? 1.0F : 0.0F;
  for (float& value : values) value = offset + static_cast<float>(limit / 2) * value;
  return values;
}

/// A model of a family with the tensors of a Transformer.
inline RandomModel random_model(architecture::ArchitecturePtr architecture, architecture::Tying tying, uint32_t seed) {
  RandomModel made;
  made.config.architecture = std::move(architecture);
  RandomNumbers random(seed);
  const auto aliases = architecture::tied_tensors(tying);
  std::map<std::string, std::vector<float>> values;
  std::vector<model::TensorView> views;
  made.config.architecture->each_tensor([&](const std::string& name, const std::vector<int64_t>& shape) {
    if (aliases.contains(name)) return;
    const std::vector<float>& stored = values[name] = random_tensor(name, shape, random);
    const auto* bytes = reinterpret_cast<const char*>(stored.data());
    views.push_back({name, model::DType::kF32, shape, {bytes, sizeof(float) * stored.size()}});
  });
  std::map<std::string, std::string> metadata;
  for (const auto& [alias, name] : aliases) metadata["alias:" + alias] = name;
  made.weights = model::write_safetensors(views, metadata);
  return made;
}

/// A Transformer that is as small as can be.
inline architecture::TransformerOptions smallest_transformer(int64_t encoder_layers, int64_t max_positions) {
  architecture::TransformerOptions options;
  options.src_vocab = options.tgt_vocab = 12;
  options.encoder_layers = encoder_layers;
  options.decoder_layers = 2;
  options.d_model = 8;
  options.d_ff = 12;
  options.heads = 2;
  options.max_positions = max_positions;
  return options;
}

inline RandomModel random_model(const architecture::TransformerOptions& options, uint32_t seed) {
  return random_model(std::make_shared<architecture::TransformerArchitecture>(options), options.tying, seed);
}
inline RandomModel random_model(const architecture::NatOptions& options, uint32_t seed) {
  return random_model(std::make_shared<architecture::NatArchitecture>(options), options.transformer.tying, seed);
}

}  // namespace ventris::test
