#include "model/floats.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <stdexcept>

#include "core/error.h"

namespace ventris::model {
namespace {

/// The float with the value of a number in IEEE 754 half precision.
float from_half(uint16_t half) {
  const uint32_t sign = uint32_t{half} >> 15 << 31, exponent = half >> 10 & 0x1FU, fraction = half & 0x3FFU;
  if (exponent == 0x1F) return std::bit_cast<float>(sign | 0x7F800000U | fraction << 13);  // infinite or NaN
  if (exponent > 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
  const float small = static_cast<float>(fraction) * 0x1p-24F;  // 0 or subnormal
  return sign != 0 ? -small : small;
}

float from_bf16(uint16_t upper) { return std::bit_cast<float>(uint32_t{upper} << 16); }

}  // namespace

bool is_float(DType type) { return type == DType::kF32 || type == DType::kBf16 || type == DType::kF16; }

std::vector<float> floats_from(std::string_view bytes, DType type) {
  if (!is_float(type)) throw std::invalid_argument("floats_from: not a type of floating-point numbers");
  std::vector<float> values(bytes.size() / static_cast<size_t>(size_of(type)));
  if (values.empty()) return values;
  if (type == DType::kF32) {
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
    return values;
  }
  for (size_t i = 0; i < values.size(); ++i) {
    uint16_t stored = 0;
    std::memcpy(&stored, bytes.data() + sizeof stored * i, sizeof stored);
    values[i] = type == DType::kBf16 ? from_bf16(stored) : from_half(stored);
  }
  return values;
}

std::vector<float> floats_of(const Safetensors& file, const TensorView& tensor) {
  if (tensor.dtype != DType::kF32 && tensor.dtype != DType::kBf16) {
    fail<ModelError>(file.where(), ": ", tensor.name, ": expected an F32 or BF16 tensor, found ",
                     name_of(tensor.dtype));
  }
  return floats_from(tensor.bytes, tensor.dtype);
}

}  // namespace ventris::model
