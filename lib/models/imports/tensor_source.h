#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ventris::imports {

/// The tensors in a file of another program.
class TensorSource {
 public:
  virtual ~TensorSource() = default;

  virtual const std::string& where() const = 0;  ///< the name of the file in messages
  virtual std::vector<std::string> names() const = 0;
  virtual bool contains(const std::string& name) const = 0;
  /// Throws ModelError if there is no such tensor.
  virtual std::vector<int64_t> shape(const std::string& name) const = 0;
  /// The elements, row by row. Throws ModelError also for a type that is no floating-point number of at most 32 bits.
  virtual std::vector<float> floats(const std::string& name) const = 0;
};

/// A file in the safetensors format with tensors in F32, F16 or BF16. Throws ModelError.
std::unique_ptr<TensorSource> open_safetensors(const std::string& path);

/// A state dict that torch.save wrote (pytorch_model.bin): a zip file with a pickle. Nothing in it is run; only the
/// instructions and types that a state dict needs are known. Throws ModelError for anything else.
std::unique_ptr<TensorSource> open_state_dict(const std::string& path);

/// The elements of a tensor, which must have this shape. Throws ModelError with both shapes.
std::vector<float> floats_of_shape(const TensorSource& tensors, const std::string& name,
                                   const std::vector<int64_t>& shape);

/// The first bytes of a file, fewer if it is shorter or cannot be read.
std::string first_bytes(const std::string& path, size_t count);

}  // namespace ventris::imports
