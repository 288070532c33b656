#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace ventris::text {

/// The 32-bit number, little-endian, at a place in the bytes; all four must be there.
uint32_t read_u32(std::string_view bytes, size_t at);

/// A unit of a double array, as Darts-clone writes it: the label in bits 0 to 7, whether a value belongs to the unit in
/// bit 8, the scale of the offset in bit 9, the offset in the rest. With bit 31 set it is the value of another unit.
struct TrieUnit {
  uint32_t bits = 0;

  bool is_value() const { return (bits >> 31) != 0; }
  uint8_t label() const { return static_cast<uint8_t>(bits); }
  bool has_value() const { return (bits >> 8 & 1) != 0; }
  uint32_t value() const { return bits & 0x7FFFFFFF; }
  uint32_t offset() const { return (bits >> 10) << ((bits >> 9 & 1) * 8); }
};

/// The units of a double array, none of them trusted, and which of them a unit leads to. From unit u the byte b leads
/// to the unit at base(u) XOR b if that one has the label b and is no value; the value of u is the unit at base(u).
class DoubleArray {
 public:
  /// Little-endian units of 4 bytes.
  explicit DoubleArray(std::string_view bytes);

  uint32_t size() const { return static_cast<uint32_t>(units_.size()); }
  TrieUnit operator[](uint32_t unit) const { return units_[unit]; }
  uint32_t base(uint32_t unit) const { return unit ^ units_[unit].offset(); }

  /// Whether all that is read behind a unit, whatever the byte, is in the array.
  bool leads_inside(uint32_t unit) const { return (base(unit) | 0xFF) < units_.size(); }

  /// The units that some byte leads to from one that leads inside: child(i) for i in [first, last).
  struct Range {
    uint32_t first, last;
  };
  Range children(uint32_t unit) const { return {first_[base(unit)], first_[base(unit) + 1]}; }
  uint32_t child(uint32_t index) const { return by_base_[index]; }

 private:
  std::vector<TrieUnit> units_;
  std::vector<uint32_t> first_;  // by base: where its units begin in by_base_
  std::vector<uint32_t> by_base_;  // units that are no values, by the base from which their label leads to them
};

}  // namespace ventris::text
