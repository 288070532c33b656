#include "settings/memory_size.h"

#include <cmath>
#include <cstdlib>
#include <string_view>

#include "core/error.h"

namespace ventris::settings {
namespace {

constexpr double kMostBytes = 4611686018427387904.0;  // 2^62

/// The bytes of a unit: "G" -> 2^30, "" -> 1; 0 if there is no such unit.
double bytes_of_unit(std::string_view unit) {
  constexpr std::string_view kUnits = "KMGT";
  if (unit.empty()) return 1;
  const size_t power = kUnits.find(unit[0]);
  return unit.size() > 1 || power == std::string_view::npos ? 0 : std::pow(1024.0, static_cast<double>(power + 1));
}

}  // namespace

MemorySize MemorySize::parse(const std::string& text, const std::string& setting) {
  const size_t digits = text.find_first_not_of("0123456789.");
  const std::string number = text.substr(0, digits);
  const double unit = bytes_of_unit(digits == std::string::npos ? "" : std::string_view(text).substr(digits));
  char* rest = nullptr;
  const double bytes = std::strtod(number.c_str(), &rest) * unit;
  const bool whole = bytes == 0 || (bytes >= 1 && bytes < kMostBytes);
  if (number.empty() || *rest != '\0' || unit == 0 || !whole) {
    fail<ConfigError>(setting, ": expected an amount of memory such as 4G, 512M or 1.5T, or 0, got '", text, "'");
  }
  MemorySize size;
  size.text_ = text;
  size.bytes_ = static_cast<int64_t>(bytes);
  return size;
}

}  // namespace ventris::settings
