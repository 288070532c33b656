#include "imports/marian_tensors.h"

#include <set>

#include "core/error.h"
#include "imports/feature_order.h"
#include "model/floats.h"

namespace ventris::imports {
namespace {

constexpr std::string_view kScaleOfActivations = "_QuantMultA";

std::vector<float> unscaled(const MarianTensors::Stored& tensor) {
  std::vector<float> values(tensor.bytes.size());
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(static_cast<signed char>(tensor.bytes[i])) / tensor.multiplier;
  }
  return values;
}

}  // namespace

void MarianTensors::add(const std::string& name, Stored tensor) {
  if (!tensors_.emplace(name, std::move(tensor)).second) {
    fail<ModelError>(where_, ": damaged: the tensor '", name, "' is there twice");
  }
}

std::vector<std::string> MarianTensors::names() const {
  std::vector<std::string> names;
  for (const auto& [name, tensor] : tensors_) {
    if (!name.ends_with(kScaleOfActivations)) names.push_back(name);
  }
  return names;
}

const MarianTensors::Stored& MarianTensors::at(const std::string& name) const {
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) fail<ModelError>(where_, ": has no tensor '", name, "'");
  return found->second;
}

std::vector<float> MarianTensors::floats(const std::string& name) const {
  const Stored& tensor = at(name);
  switch (tensor.type) {
    case Stored::Type::kFloat32: return model::floats_from(tensor.bytes, model::DType::kF32);
    case Stored::Type::kFloat16: return model::floats_from(tensor.bytes, model::DType::kF16);
    case Stored::Type::kInt8: break;
  }
  std::vector<float> values = unscaled(tensor);
  return tensor.transposed && !values.empty() ? transposed(values, tensor.shape[1]) : values;
}

std::string MarianTensors::types() const {
  std::set<std::string> types;
  for (const auto& [name, tensor] : tensors_) {
    if (tensor.shape.size() != 2 || tensor.shape[0] == 1) continue;
    types.insert(tensor.type == Stored::Type::kInt8 ? "int8" : tensor.type == Stored::Type::kFloat16 ? "f16" : "f32");
  }
  std::string text;
  for (const std::string& type : types) text += (text.empty() ? "" : " and ") + type;
  return text;
}

}  // namespace ventris::imports
