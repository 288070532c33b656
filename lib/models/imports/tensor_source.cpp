#include "imports/tensor_source.h"

#include "core/error.h"
#include "model/safetensors.h"

namespace ventris::imports {

std::vector<float> floats_of_shape(const TensorSource& tensors, const std::string& name,
                                   const std::vector<int64_t>& shape) {
  const std::vector<int64_t> found = tensors.shape(name);
  if (found != shape) {
    fail<ModelError>(tensors.where(), ": tensor '", name, "': expected shape ", model::shape_text(shape), ", found ",
                     model::shape_text(found));
  }
  return tensors.floats(name);
}

}  // namespace ventris::imports
