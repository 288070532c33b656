#include "imports/byte_reader.h"

#include <utility>

#include "core/error.h"
#include "model/safetensors.h"

namespace ventris::imports {

ByteReader::ByteReader(std::string_view bytes, std::string where, std::string kind)
    : rest_(bytes), size_(bytes.size()), where_(std::move(where)), kind_(std::move(kind)) {}

void ByteReader::damaged(const std::string& what) const {
  fail<ModelError>(where_, ": damaged, or no ", kind_, ": ", what, ", at byte ", size_ - rest_.size());
}

std::string_view ByteReader::take(uint64_t count) {
  if (count > rest_.size()) damaged("it ends too early");
  const std::string_view front = rest_.substr(0, count);
  rest_.remove_prefix(count);
  return front;
}

std::string ByteReader::name(uint64_t size) {
  const std::string_view bytes = take(size);
  if (bytes.empty() || bytes.back() != '\0' || !model::is_printable(bytes.substr(0, size - 1))) {
    damaged("a name is not a printable text with a 0 at its end");
  }
  return std::string(bytes.substr(0, size - 1));
}

}  // namespace ventris::imports
