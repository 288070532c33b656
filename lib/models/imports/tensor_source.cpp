#include "imports/tensor_source.h"

#include <fstream>

#include "core/error.h"
#include "model/safetensors.h"

namespace ventris::imports {

std::string first_bytes(const std::string& path, size_t count) {
  std::string bytes(count, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(bytes.data(), static_cast<std::streamsize>(count));
  bytes.resize(static_cast<size_t>(file.gcount()));
  return bytes;
}

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
