#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ventris::model {

enum class DType { kF32, kBf16, kF16, kI64, kU8 };

/// Bytes of one element.
int64_t size_of(DType type);

/// How the file writes the type: "F32".
std::string name_of(DType type);

/// The type of this name. Throws ModelError (`where` begins the message) for any other.
DType dtype_of(const std::string& name, const std::string& where);

/// Product of the lengths; -1 if it does not fit 63 bits.
int64_t elements_of(const std::vector<int64_t>& shape);

/// "[2, 3]"
std::string shape_text(const std::vector<int64_t>& shape);

/// Whether all of it is ASCII that may be shown on a terminal; names of tensors are.
bool is_printable(const std::string& name);

/// A tensor in memory: row-major, little-endian.
struct TensorView {
  std::string name;
  DType dtype = DType::kF32;
  std::vector<int64_t> shape;
  std::string_view bytes;

  int64_t elements() const;
};

/// A file in the safetensors layout: u64 header length, JSON header, raw data. A tensor tied to another is stored once;
/// the metadata key "alias:NAME" holds the stored name.
class Safetensors {
 public:
  /// Takes the whole file. Checks everything before use: header length (at most 100 MB), names, ranges without gap or
  /// overlap, shape times element size = range, at most 100,000 tensors of rank 8. Throws ModelError naming `where` and
  /// the tensor.
  static Safetensors parse(std::string bytes, const std::string& where);
  static Safetensors parse(std::shared_ptr<const std::string> bytes, const std::string& where);
  static Safetensors from_file(const std::string& path);

  /// The whole file, shared by all copies.
  const std::shared_ptr<const std::string>& bytes() const { return bytes_; }

  /// What the file is called in messages.
  const std::string& where() const { return where_; }

  /// The tensor of this name or alias; throws ModelError if there is none.
  const TensorView& at(const std::string& name) const;
  bool contains(const std::string& name) const;
  const std::vector<TensorView>& tensors() const { return tensors_; }  ///< stored ones, in file order
  const std::map<std::string, std::string>& metadata() const { return metadata_; }
  std::map<std::string, std::string> aliases() const;  ///< alias -> stored name

 private:
  void add_aliases();

  std::string where_;
  std::shared_ptr<const std::string> bytes_;  // what the views look at; shared by copies
  std::vector<TensorView> tensors_;
  std::map<std::string, size_t> index_;
  std::map<std::string, std::string> metadata_;
};

/// The file's bytes. The data starts at a multiple of 64 bytes.
std::string write_safetensors(const std::vector<TensorView>& tensors,
                              const std::map<std::string, std::string>& metadata);

}  // namespace ventris::model
