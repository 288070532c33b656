#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace ventris::text {

/// The little-endian 32-bit number at byte `at`; all four bytes must exist.
uint32_t read_u32(std::string_view bytes, size_t at);

/// A unit of a double array, as Darts-clone writes it: bits 0 to 7 are the label, bit 8 says whether the unit has a
/// value, bit 9 is the scale of the offset, and the rest is the offset. If bit 31 is set, it is the value of a unit.
struct TrieUnit {
  uint32_t bits = 0;

  bool is_value() const { return (bits >> 31) != 0; }
  uint8_t label() const { return static_cast<uint8_t>(bits); }
  bool has_value() const { return (bits >> 8 & 1) != 0; }
  uint32_t value() const { return bits & 0x7FFFFFFF; }
  uint32_t offset() const { return (bits >> 10) << ((bits >> 9 & 1) * 8); }
};

/// The units of an untrusted double array, and the children of each unit. From unit u, the byte b leads to the unit at
/// base(u) XOR b if that unit has the label b and is not a value. The value of u is the unit at base(u).
class DoubleArray {
 public:
  /// Little-endian units of 4 bytes.
  explicit DoubleArray(std::string_view bytes);

  uint32_t size() const { return static_cast<uint32_t>(units_.size()); }
  TrieUnit operator[](uint32_t unit) const { return units_[unit]; }
  uint32_t base(uint32_t unit) const { return unit ^ units_[unit].offset(); }

  /// Whether all units that can be read from this one, for any byte, are in the array.
  bool leads_inside(uint32_t unit) const { return (base(unit) | 0xFF) < units_.size(); }

  /// The children of a unit for which leads_inside() is true: child(i) for i in [first, last).
  struct Range {
    uint32_t first, last;
  };
  Range children(uint32_t unit) const { return {first_[base(unit)], first_[base(unit) + 1]}; }
  uint32_t child(uint32_t index) const { return by_base_[index]; }

 private:
  std::vector<TrieUnit> units_;
  std::vector<uint32_t> first_;  // per base: where its children begin in by_base_
  std::vector<uint32_t> by_base_;  // all units that are not values, sorted by the base of their parent
};

}  // namespace ventris::text
