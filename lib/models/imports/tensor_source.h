#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
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

/// The tensors of `all` under other names; those whose new name is empty are left out. Throws ModelError if two get the
/// same name.
std::unique_ptr<TensorSource> renamed(std::unique_ptr<TensorSource> all,
                                      const std::function<std::string(const std::string& name)>& new_name);

/// The elements of a tensor, which must have this shape. Throws ModelError with both shapes.
std::vector<float> floats_of_shape(const TensorSource& tensors, const std::string& name,
                                   const std::vector<int64_t>& shape);

/// The sizes of a tensor with two dimensions, of at least 1 each. Throws ModelError for any other.
std::pair<int64_t, int64_t> matrix_shape(const TensorSource& tensors, const std::string& name);

/// How many layers there are: the numbers from 0 on that follow `prefix` in names.
int64_t layers_of(const TensorSource& tensors, const std::string& prefix);

/// The first bytes of a file, fewer if it is shorter or cannot be read.
std::string first_bytes(const std::string& path, size_t count);

}  // namespace ventris::imports
