#include <array>
#include <charconv>
#include <cstring>
#include <optional>
#include <utility>

#include "core/error.h"
#include "imports/marian_tensors.h"
#include "imports/model_files.h"
#include "model/safetensors.h"
#include "model/zip_layout.h"

namespace ventris::imports {
namespace {

constexpr std::string_view kMagicOfNumpy = "\x93NUMPY";
constexpr std::string_view kExtension = ".npy";

/// The header of an array: {'descr': '<f4', 'fortran_order': False, 'shape': (26, 32), }
struct ArrayHead {
  std::string type;
  bool fortran = false;
  std::vector<int64_t> shape;
};

/// Reads such a header. Its functions take what they expect from the front.
class HeadReader {
 public:
  explicit HeadReader(std::string_view text) : rest_(text) {}

  std::optional<ArrayHead> run() {
    ArrayHead head;
    if (!take("{")) return std::nullopt;
    for (int keys = 0; !take("}"); ++keys) {
      if (keys == 3 || !entry(head)) return std::nullopt;
      take(",");
    }
    const bool complete = !head.type.empty() && seen_ == 7;
    return complete && rest_.find_first_not_of(" \n") == std::string_view::npos ? std::optional(head) : std::nullopt;
  }

 private:
  bool take(std::string_view text) {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size()));
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  bool entry(ArrayHead& head) {
    if (take("'descr':")) return once(1) && text(head.type);
    if (take("'fortran_order':")) {
      head.fortran = take("True");
      return once(2) && (head.fortran || take("False"));
    }
    return take("'shape':") && once(4) && shape(head.shape);
  }
  bool once(unsigned key) { return (std::exchange(seen_, seen_ | key) & key) == 0; }
  bool text(std::string& value) {
    if (!take("'")) return false;
    const size_t end = rest_.find('\'');
    if (end > 8 || !model::is_printable(rest_.substr(0, end))) return false;
    value = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return true;
  }
  bool shape(std::vector<int64_t>& lengths) {
    if (!take("(")) return false;
    while (!take(")")) {
      int64_t length = 0;
      take("");
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), length);
      if (error != std::errc() || length < 0 || lengths.size() == model::kHighestRank) return false;
      rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
      lengths.push_back(length);
      take(",");
    }
    return true;
  }

  std::string_view rest_;
  unsigned seen_ = 0;
};

/// Reads the arrays of an .npz file.
class MarianNpz {
 public:
  explicit MarianNpz(const std::string& path) : files_(files_of_zip(path, "")), tensors_(path) {}

  MarianTensors run() {
    for (const model::ZipPlace& place : model::zip_layout(tensors_.where(), tensors_.where())) {
      if (!place.name.ends_with(kExtension)) {
        fail<ModelError>(tensors_.where(), ": expected arrays of NumPy, found '", place.name, "'");
      }
      name_ = place.name.substr(0, place.name.size() - kExtension.size());
      if (!model::is_printable(name_)) damaged("has a name that is not printable");
      const core::SharedBytes bytes = files_->read(place.name);
      tensors_.keep(bytes);
      add(bytes.view());
    }
    return std::move(tensors_);
  }

 private:
  [[noreturn]] void damaged(const std::string& what) const {
    fail<ModelError>(tensors_.where(), ": damaged: the array '", name_, "' ", what);
  }

  void add(std::string_view bytes) {
    const ArrayHead head = take_head(bytes);
    const int64_t elements = model::elements_of(head.shape);
    const size_t size = size_of_type(head.type);
    if (elements < 0 || bytes.size() % size != 0 || static_cast<uint64_t>(elements) != bytes.size() / size) {
      damaged("has another size than its shape says");
    }
    if (name_ == kMarianSettings && size == 1) return tensors_.set_settings(bytes);
    if (size == 1) refuse_type(head.type);
    if (head.fortran && head.shape.size() > 1) damaged("has its elements column by column; expected row by row");
    using Type = MarianTensors::Stored::Type;
    tensors_.add(name_, {head.shape, size == 4 ? Type::kFloat32 : Type::kFloat16, bytes});
  }

  /// Removes the header from the front.
  ArrayHead take_head(std::string_view& bytes) const {
    constexpr size_t kVersion = kMagicOfNumpy.size(), kShort = kVersion + 2, kEndOfShort = kShort + 2,
                     kEndOfLong = kShort + 4;
    if (bytes.size() < kEndOfLong || !bytes.starts_with(kMagicOfNumpy)) damaged("is no array of NumPy");
    const auto at = [&](size_t i) { return static_cast<uint64_t>(static_cast<unsigned char>(bytes[i])); };
    const bool is_short = at(kVersion) == 1;
    uint64_t size = at(kShort) | at(kShort + 1) << 8U;
    if (!is_short) size |= at(kShort + 2) << 16U | at(kShort + 3) << 24U;
    const size_t begin = is_short ? kEndOfShort : kEndOfLong;
    if (at(kVersion) < 1 || at(kVersion) > 3 || size > bytes.size() - begin) damaged("has a wrong header");
    const std::optional<ArrayHead> head = HeadReader(bytes.substr(begin, size)).run();
    if (!head) damaged("has a wrong header");
    bytes.remove_prefix(begin + size);
    return *head;
  }

  size_t size_of_type(const std::string& type) const {
    if (type == "<f4") return 4;
    if (type == "<f2") return 2;
    if (type == "|i1" || type == "<i1" || type == "|u1" || type == "|S1") return 1;
    refuse_type(type);
  }
  [[noreturn]] void refuse_type(const std::string& type) const {
    fail<ModelError>(tensors_.where(), ": tensor '", name_, "': expected elements of type <f4 or <f2, found ", type);
  }

  std::unique_ptr<ModelFiles> files_;
  MarianTensors tensors_;
  std::string name_;
};

}  // namespace

MarianTensors read_marian_npz(const std::string& path) { return MarianNpz(path).run(); }

bool is_marian_npz(const std::string& path) { return is_zip_with_top(path, std::string(kMarianSettings) + ".npy"); }

}  // namespace ventris::imports
