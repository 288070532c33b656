#pragma once
#include <string>

#include "model/safetensors.h"

namespace ventris::test {

/// The same weights with one value of a tensor replaced by a number that is none.
inline std::string with_value(const std::string& weights, const std::string& tensor, float value) {
  const auto file = model::Safetensors::parse(weights, "weights");
  std::string changed(file.at(tensor).bytes);
  changed.replace(4, 4, reinterpret_cast<const char*>(&value), 4);
  auto views = file.tensors();
  for (auto& view : views) {
    if (view.name == tensor) view.bytes = changed;
  }
  return model::write_safetensors(views, file.metadata());
}

}  // namespace ventris::test
