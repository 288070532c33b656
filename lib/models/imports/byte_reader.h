#pragma once
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace ventris::imports {

/// The number in the front of `bytes`, little-endian, which has enough of them.
template <typename Number>
Number number_in(std::string_view bytes) {
  Number value = 0;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

/// Takes numbers and names from the front of a file. All throw ModelError where the file is damaged.
class ByteReader {
 public:
  /// `where` names the file in messages, `kind` what it should be: "model.bin of CTranslate2".
  ByteReader(std::string_view bytes, std::string where, std::string kind);

  /// Says what is wrong, and at which byte.
  [[noreturn]] void damaged(const std::string& what) const;
  std::string_view take(uint64_t count);
  template <typename Number>
  Number number() {
    return number_in<Number>(take(sizeof(Number)));
  }
  /// A name of `size` bytes, of which the last is 0.
  std::string name(uint64_t size);
  size_t left() const { return rest_.size(); }

 private:
  std::string_view rest_;
  size_t size_;
  std::string where_, kind_;
};

}  // namespace ventris::imports
