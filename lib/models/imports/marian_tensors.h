#pragma once
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/shared_bytes.h"
#include "imports/tensor_source.h"

namespace ventris::imports {

/// The tensors and the settings in a model of Marian or Bergamot: an .npz file, or a .bin file. Scales of activations
/// (..._QuantMultA) are left out.
class MarianTensors : public TensorSource {
 public:
  /// A tensor as it is in the file.
  struct Stored {
    enum class Type { kFloat32, kFloat16, kInt8 };
    std::vector<int64_t> shape;
    Type type = Type::kFloat32;
    std::string_view bytes;   ///< of the elements only; must live as long as the owner given to add()
    float multiplier = 1;     ///< kInt8: what the elements were multiplied with
    bool transposed = false;  ///< kInt8, a matrix: the elements are those of [shape[1], shape[0]]
  };

  explicit MarianTensors(std::string where) : where_(std::move(where)) {}

  /// Throws ModelError for a name that is there already.
  void add(const std::string& name, Stored tensor);
  /// Keeps bytes that tensors point into.
  void keep(core::SharedBytes bytes) { owners_.push_back(std::move(bytes)); }
  /// Takes the tensor special:model.yml, up to the first byte 0.
  void set_settings(std::string_view bytes) { settings_ = std::string(bytes.substr(0, bytes.find('\0'))); }

  const std::string& where() const override { return where_; }
  std::vector<std::string> names() const override;
  bool contains(const std::string& name) const override { return tensors_.contains(name); }
  std::vector<int64_t> shape(const std::string& name) const override { return at(name).shape; }
  std::vector<float> floats(const std::string& name) const override;

  const std::string& settings() const { return settings_; }  ///< YAML
  std::string types() const;  ///< of the matrices, for the log: "f32 and int8"

 private:
  const Stored& at(const std::string& name) const;

  std::string where_, settings_;
  std::vector<core::SharedBytes> owners_;
  std::map<std::string, Stored> tensors_;
};

/// The name of the tensor with the settings.
inline constexpr std::string_view kMarianSettings = "special:model.yml";

/// An .npz file: a zip file of arrays of NumPy, in f32 or f16. Throws ModelError.
MarianTensors read_marian_npz(const std::string& path);
/// Whether it is a zip file with kMarianSettings. Throws nothing.
bool is_marian_npz(const std::string& path);

/// A .bin file, in f32 or in 8 bits of either kind (intgemm8), which become f32 again. Throws ModelError; for other
/// types of elements, with their name.
MarianTensors read_marian_bin(const std::string& path);
/// Whether it begins like a .bin file of Marian. Throws nothing.
bool is_marian_bin(const std::string& path);

}  // namespace ventris::imports
