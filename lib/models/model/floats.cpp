#include "model/floats.h"

#include <bit>
#include <cstring>

#include "core/error.h"

namespace ventris::model {

std::vector<float> floats_of(const Safetensors& file, const TensorView& tensor) {
  std::vector<float> values(static_cast<size_t>(tensor.elements()));
  if (values.empty()) return values;
  if (tensor.dtype == DType::kF32) {
    std::memcpy(values.data(), tensor.bytes.data(), tensor.bytes.size());
  } else if (tensor.dtype == DType::kBf16) {
    for (size_t i = 0; i < values.size(); ++i) {
      uint16_t upper = 0;
      std::memcpy(&upper, tensor.bytes.data() + sizeof upper * i, sizeof upper);
      values[i] = std::bit_cast<float>(uint32_t{upper} << 16);
    }
  } else {
    fail<ModelError>(file.where(), ": ", tensor.name, ": expected an F32 or BF16 tensor, found ",
                     name_of(tensor.dtype));
  }
  return values;
}

}  // namespace ventris::model
