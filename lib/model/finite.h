#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "model/safetensors.h"

namespace ventris::model {

/// A tensor with values that nothing can be computed with.
struct NonFinite {
  std::string tensor;
  int64_t values = 0;  ///< all that it has
  int64_t nan = 0;
  int64_t infinite = 0;
};

/// Those of the file's stored tensors that have any, in file order; of the types F32, F16 and BF16 (others have none).
std::vector<NonFinite> find_non_finite(const Safetensors& file);

/// "FILE: tensor 'NAME': of 16 values 3 are NaN and 1 infinite", and how many tensors more. `found` must not be empty.
std::string describe(const std::vector<NonFinite>& found, const std::string& where);

/// Throws ModelError with that sentence if there are any.
void check_finite(const Safetensors& file);

}  // namespace ventris::model
