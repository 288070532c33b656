#include "layers/tensor_reader.h"

#include <bit>
#include <cstring>

#include "core/error.h"

namespace ventris::layers {

TensorValues::TensorValues(const model::Safetensors& file, const model::TensorView& tensor)
    : file_(file), bytes_(tensor.bytes) {
  const auto count = static_cast<size_t>(tensor.elements());
  const bool aligned = reinterpret_cast<uintptr_t>(bytes_.data()) % alignof(float) == 0;
  if (tensor.dtype == model::DType::kF32 && aligned) {
    values_ = {reinterpret_cast<const float*>(bytes_.data()), count};
    return;
  }
  copy_.resize(count);
  if (tensor.dtype == model::DType::kF32) {
    std::memcpy(copy_.data(), bytes_.data(), bytes_.size());
  } else {
    for (size_t i = 0; i < count; ++i) {
      uint16_t upper = 0;
      std::memcpy(&upper, bytes_.data() + 2 * i, sizeof upper);
      copy_[i] = std::bit_cast<float>(static_cast<uint32_t>(upper) << 16);
    }
  }
  values_ = copy_;
}

TensorValues TensorReader::values(const std::string& name, const std::vector<int64_t>& shape) const {
  const model::TensorView& tensor = file_.at(name);
  if (tensor.shape != shape) {
    fail<ModelError>(file_.where(), ": ", name, ": expected shape ", model::shape_text(shape), ", found ",
                     model::shape_text(tensor.shape));
  }
  if (tensor.dtype != model::DType::kF32 && tensor.dtype != model::DType::kBf16) {
    fail<ModelError>(file_.where(), ": ", name, ": expected an F32 or BF16 tensor, found ",
                     model::name_of(tensor.dtype));
  }
  return {file_, tensor};
}

std::vector<float> TensorReader::read(const std::string& name, const std::vector<int64_t>& shape) const {
  const TensorValues found = values(name, shape);
  return {found.begin(), found.end()};
}

arithmetic::Matrix TensorReader::linear(const std::string& name, int64_t out, int64_t in) const {
  return {values(name + ".weight", {out, in}).data(), values(name + ".bias", {out}).data(), out, in, precision_};
}

arithmetic::Matrix TensorReader::table(const std::string& name, int64_t rows, int64_t width) const {
  return {values(name, {rows, width}).data(), nullptr, rows, width, precision_};
}

}  // namespace ventris::layers
