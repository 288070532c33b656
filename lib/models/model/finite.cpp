#include "model/finite.h"

#include <fmt/format.h>

#include <cstring>

#include "core/error.h"

namespace ventris::model {
namespace {

/// The layout of a floating-point type. If all bits of the exponent are set, a value is NaN, or infinite if its
/// fraction is 0.
template <typename Bits, Bits kExponent, Bits kFraction>
void count(const TensorView& tensor, NonFinite& found) {
  for (size_t at = 0; at + sizeof(Bits) <= tensor.bytes.size(); at += sizeof(Bits)) {
    Bits bits = 0;
    std::memcpy(&bits, tensor.bytes.data() + at, sizeof bits);
    if ((bits & kExponent) != kExponent) continue;
    ++((bits & kFraction) != 0 ? found.nan : found.infinite);
  }
}

NonFinite look_at(const TensorView& tensor) {
  NonFinite found{tensor.name, tensor.elements()};
  switch (tensor.dtype) {
    case DType::kF32: count<uint32_t, 0x7F800000, 0x007FFFFF>(tensor, found); break;
    case DType::kBf16: count<uint16_t, 0x7F80, 0x007F>(tensor, found); break;
    case DType::kF16: count<uint16_t, 0x7C00, 0x03FF>(tensor, found); break;
    case DType::kI64:
    case DType::kI32:
    case DType::kI8:
    case DType::kU8: break;
  }
  return found;
}

}  // namespace

std::vector<NonFinite> find_non_finite(const Safetensors& file) {
  std::vector<NonFinite> all;
  for (const TensorView& tensor : file.tensors()) {
    NonFinite found = look_at(tensor);
    if (found.nan + found.infinite > 0) all.push_back(std::move(found));
  }
  return all;
}

std::string describe(const std::vector<NonFinite>& found, const std::string& where) {
  const NonFinite& first = found.front();
  std::string text = fmt::format("{}: tensor '{}': {} of {} values are NaN and {} infinite", where, first.tensor,
                                 first.nan, first.values, first.infinite);
  if (found.size() > 1) text += fmt::format("; {} more tensors also have such values", found.size() - 1);
  return text + "; use a model from before the training went wrong";
}

void check_finite(const Safetensors& file) {
  if (const auto found = find_non_finite(file); !found.empty()) fail<ModelError>(describe(found, file.where()));
}

}  // namespace ventris::model
