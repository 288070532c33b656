#pragma once
#include <vector>

#include "model/safetensors.h"

namespace ventris::model {

/// The elements of a tensor as floats. Throws ModelError, with the file and the tensor, for any type but F32 and BF16.
std::vector<float> floats_of(const Safetensors& file, const TensorView& tensor);

}  // namespace ventris::model
