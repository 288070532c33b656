#include "text/double_array.h"

namespace ventris::text {

uint32_t read_u32(std::string_view bytes, size_t at) {
  uint32_t number = 0;
  for (size_t i = 0; i < 4; ++i) number |= uint32_t{static_cast<uint8_t>(bytes[at + i])} << (8 * i);
  return number;
}

DoubleArray::DoubleArray(std::string_view bytes) {
  for (size_t at = 0; at + 4 <= bytes.size(); at += 4) units_.push_back({read_u32(bytes, at)});
  const auto each = [this](const auto& use) {
    for (uint32_t unit = 0; unit < size(); ++unit) {
      const uint32_t base = unit ^ units_[unit].label();
      if (!units_[unit].is_value() && base < size()) use(unit, base);
    }
  };
  first_.assign(units_.size() + 1, 0);
  each([this](uint32_t, uint32_t base) { ++first_[base + 1]; });
  for (size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  by_base_.resize(first_.back());
  std::vector<uint32_t> next = first_;
  each([&](uint32_t unit, uint32_t base) { by_base_[next[base]++] = unit; });
}

}  // namespace ventris::text
