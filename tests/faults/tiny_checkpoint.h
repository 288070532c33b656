#pragma once
#include <string>
#include <vector>

#include "run/checkpoint.h"

namespace ventris::test {

/// The smallest checkpoint: each of its files is there, with a few bytes in it.
inline run::CheckpointContent tiny_checkpoint(int64_t updates, float value) {
  const std::string bytes(reinterpret_cast<const char*>(&value), sizeof value);
  const std::string tensors = model::write_safetensors({{"w", model::DType::kF32, {1}, bytes}}, {});
  run::TrainingState state;
  state.progress.updates = updates;
  state.models = {{updates, 1.5}};
  return {state, R"({"a":1})", R"({"threads":2})", tensors, tensors, "source", "target", tensors};
}

/// The value it was made with.
inline float value_in(const run::Checkpoint& checkpoint) {
  float value = 0;
  checkpoint.weights.at("w").bytes.copy(reinterpret_cast<char*>(&value), sizeof value);
  return value;
}

}  // namespace ventris::test
