#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/shared_bytes.h"

namespace ventris::model {

constexpr size_t kHighestRank = 8;  ///< of a tensor

enum class DType { kF32, kBf16, kF16, kI64, kI32, kI8, kU8 };

/// Bytes of one element.
int64_t size_of(DType type);

/// The name of the type in the file: "F32".
std::string name_of(DType type);

/// The type with this name. Throws ModelError, beginning with `where`, for any other name.
DType dtype_of(const std::string& name, const std::string& where);

/// The product of the lengths; -1 if it does not fit into 63 bits.
int64_t elements_of(const std::vector<int64_t>& shape);

/// "[2, 3]"
std::string shape_text(const std::vector<int64_t>& shape);

/// Whether the text is only printable ASCII, as the names of tensors must be.
bool is_printable(std::string_view name);

/// A tensor in memory: row-major, little-endian.
struct TensorView {
  std::string name;
  DType dtype = DType::kF32;
  std::vector<int64_t> shape;
  std::string_view bytes;

  int64_t elements() const;
};

/// A file in the safetensors format: u64 header length, JSON header, raw data. Tied tensors are stored once; the
/// metadata key "alias:NAME" has the name of the stored tensor.
class Safetensors {
 public:
  /// Takes the bytes of the file and checks everything: header length (at most 100 MB), names, no gaps or overlaps
  /// between tensors, shape times element size = bytes, at most 100,000 tensors, at most rank 8. Throws ModelError with
  /// `where` and the tensor.
  static Safetensors parse(std::string bytes, const std::string& where);
  static Safetensors parse(core::SharedBytes bytes, const std::string& where);
  static Safetensors from_file(const std::string& path);

  /// The bytes of the file, shared by all copies.
  const core::SharedBytes& bytes() const { return bytes_; }

  /// The name of the file in messages.
  const std::string& where() const { return where_; }

  /// The tensor with this name or alias. Throws ModelError if there is none.
  const TensorView& at(const std::string& name) const;
  bool contains(const std::string& name) const;
  /// The same file with other names: `names` has the new name of each tensor that is wanted, and the one at() takes.
  /// Throws ModelError if a tensor is not there.
  Safetensors with_names(const std::map<std::string, std::string>& names) const;
  const std::vector<TensorView>& tensors() const { return tensors_; }  ///< stored ones, in file order
  const std::map<std::string, std::string>& metadata() const { return metadata_; }
  std::map<std::string, std::string> aliases() const;  ///< alias -> stored name

 private:
  void add_aliases();

  std::string where_;
  core::SharedBytes bytes_;  // the views point into it; shared by copies
  std::vector<TensorView> tensors_;
  std::map<std::string, size_t> index_;
  std::map<std::string, std::string> metadata_;
};

/// The file's bytes. The data starts at a multiple of 64 bytes.
std::string write_safetensors(const std::vector<TensorView>& tensors,
                              const std::map<std::string, std::string>& metadata);

}  // namespace ventris::model
