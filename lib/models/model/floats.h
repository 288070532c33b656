#pragma once
#include <string_view>
#include <vector>

#include "model/safetensors.h"

namespace ventris::model {

/// The elements of a tensor as floats. Throws ModelError, with the file and the tensor, for any type but F32 and BF16.
std::vector<float> floats_of(const Safetensors& file, const TensorView& tensor);

/// Whether floats_from() takes this type: F32, BF16 or F16.
bool is_float(DType type);

/// The elements in `bytes`, which are little-endian numbers of a type for which is_float() is true.
std::vector<float> floats_from(std::string_view bytes, DType type);

}  // namespace ventris::model
