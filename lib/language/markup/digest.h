#pragma once
#include <cstdint>
#include <string_view>

namespace ventris::markup {

/// A number for texts and numbers in their order, to compare them: FNV-1a with 64 bits, whose result is mixed so that
/// sums of such numbers can be compared, too.
class Digest {
 public:
  Digest& add(std::string_view text) {
    for (const char c : text) add_byte(static_cast<unsigned char>(c));
    return *this;
  }
  Digest& add(uint64_t number) {
    for (int byte = 0; byte < 8; ++byte) add_byte(static_cast<unsigned char>(number >> (8 * byte)));
    return *this;
  }
  uint64_t value() const {
    uint64_t mixed = value_;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    return mixed ^ (mixed >> 31);
  }

 private:
  void add_byte(unsigned char byte) { value_ = (value_ ^ byte) * 0x100000001b3; }

  uint64_t value_ = 0xcbf29ce484222325;
};

}  // namespace ventris::markup
