#pragma once
#include <string>
#include <vector>

#include "engine/factory.h"
#include "engine/packed_file.h"
#include "engine/random_model.h"

namespace ventris::test {

inline constexpr engine::Precision kAllPrecisions[] = {engine::Precision::kF32, engine::Precision::kBf16,
                                                       engine::Precision::kInt8};

inline const architecture::TransformerOptions& options_of(const RandomModel& model) {
  return dynamic_cast<const architecture::TransformerArchitecture&>(*model.config.architecture).options;
}

/// The bytes of the model's packed file.
inline std::string packed(const RandomModel& model, engine::Precision precision) {
  return engine::to_packed(layers::pack_weights(options_of(model), model.file(), precision));
}

inline model::Safetensors packed_file(std::string bytes) {
  return model::Safetensors::parse(std::move(bytes), "m/model.packed");
}

/// The log-probabilities of all tokens after each of some tokens of a target, one after the other.
inline std::vector<float> log_probs(const decoding::ScorerFactory& factory) {
  const auto scorer = factory.make();
  const std::vector<int32_t> source{5, 4, 3}, parents{0};
  scorer->admit(std::vector<std::span<const int32_t>>{source});
  std::vector<float> all;
  for (int32_t id = 2; id < 6; ++id) {
    decoding::StepRequest request;
    const std::vector<int32_t> last{id};
    request.parents = parents;
    request.last_ids = last;
    request.continuations = scorer->info().vocab;
    const auto found = scorer->advance(request);
    all.insert(all.end(), found.log_probs.begin(), found.log_probs.end());
  }
  return all;
}

}  // namespace ventris::test
