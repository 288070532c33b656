#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "model/safetensors.h"

namespace ventris::model {

/// A tensor with values that are NaN or infinite.
struct NonFinite {
  std::string tensor;
  int64_t values = 0;  ///< all values of the tensor
  int64_t nan = 0;
  int64_t infinite = 0;
};

/// The stored tensors of the file that have such values, in file order. Checks the types F32, F16 and BF16.
std::vector<NonFinite> find_non_finite(const Safetensors& file);

/// "FILE: tensor 'NAME': 3 of 16 values are NaN and 1 infinite", and how many more tensors. `found` must not be empty.
std::string describe(const std::vector<NonFinite>& found, const std::string& where);

/// Throws ModelError with that sentence if there are any.
void check_finite(const Safetensors& file);

}  // namespace ventris::model
