#include "exports/ctranslate2_file.h"

#include <limits>

#include "core/error.h"
#include "exports/little_endian.h"

namespace ventris::exports {
namespace {

constexpr uint32_t kVersion = 6;
constexpr uint32_t kRevision = 7;  // of the names that a Transformer has
constexpr const char* kModel = "TransformerSpec";
enum Type : uint8_t { kFloat32 = 0, kInt8 = 1, kInt16 = 2 };

/// The length of a text counts the 0 at its end.
void add_text(std::string& bytes, const std::string& text) {
  append(bytes, static_cast<uint16_t>(text.size() + 1));
  bytes += text;
  bytes += '\0';
}

std::string head(const std::vector<int64_t>& shape, Type type, uint64_t size) {
  std::string bytes;
  append(bytes, static_cast<uint8_t>(shape.size()));
  for (const int64_t length : shape) append(bytes, static_cast<uint32_t>(length));
  append(bytes, static_cast<uint8_t>(type));
  append(bytes, static_cast<uint32_t>(size));
  return bytes;
}

}  // namespace

void CTranslate2File::tensor(const std::string& name, const std::vector<int64_t>& shape,
                             const std::vector<float>& values) {
  const uint64_t size = sizeof(float) * values.size();
  if (size > std::numeric_limits<uint32_t>::max()) {
    fail<ModelError>(name, ": the format of CTranslate2 takes tensors of less than 4 GiB, found ", size,
                     " bytes; use --format torchscript");
  }
  std::string& bytes = arrays_[name] = head(shape, kFloat32, size);
  bytes.append(reinterpret_cast<const char*>(values.data()), size);
}

void CTranslate2File::flag(const std::string& name, int8_t value) {
  append(arrays_[name] = head({}, kInt8, sizeof value), value);
}

void CTranslate2File::number(const std::string& name, int16_t value) {
  append(arrays_[name] = head({}, kInt16, sizeof value), value);
}

void CTranslate2File::alias(const std::string& name, const std::string& other) { aliases_[name] = other; }

std::string CTranslate2File::bytes() {
  constexpr size_t kLongestName = 128;
  size_t size = kLongestName * (arrays_.size() + 2 * aliases_.size() + 1);
  for (const auto& [name, array] : arrays_) size += array.size();
  std::string bytes;
  bytes.reserve(size);
  append(bytes, kVersion);
  add_text(bytes, kModel);
  append(bytes, kRevision);
  append(bytes, static_cast<uint32_t>(arrays_.size()));
  for (auto& [name, array] : arrays_) {
    add_text(bytes, name);
    bytes += array;
    std::string().swap(array);
  }
  append(bytes, static_cast<uint32_t>(aliases_.size()));
  for (const auto& [name, other] : aliases_) {
    add_text(bytes, name);
    add_text(bytes, other);
  }
  arrays_.clear();
  aliases_.clear();
  return bytes;
}

}  // namespace ventris::exports
