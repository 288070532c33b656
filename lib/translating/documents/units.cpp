#include "documents/units.h"

#include <algorithm>
#include <array>

namespace ventris::documents {

bool is_unit_symbol(std::string_view text) {
  constexpr std::array<std::string_view, 59> kSymbols{
      "h",   "m",   "s",   "d",   "w",   "y",   "min",  "mins", "sec", "secs", "ms", "ns", "px",  "em",  "rem",
      "pt",  "vh",  "vw",  "x",   "X",   "B",   "KB",   "kB",   "MB",  "GB",   "TB", "PB", "KiB", "MiB", "GiB",
      "TiB", "Kb",  "Mb",  "Gb",  "kb",  "mb",  "gb",   "cm",   "mm",  "km",   "kg", "g",  "mg",  "l",   "ml",
      "Hz",  "kHz", "MHz", "GHz", "fps", "dpi", "kcal", "W",    "kW",  "V",    "K",  "M",  "°C",  "ppi"};
  return std::ranges::find(kSymbols, text) != kSymbols.end();
}

bool is_unit_word(std::string_view text) {
  constexpr std::array<std::string_view, 27> kWords{
      "minute", "minutes", "second", "seconds", "hrs",  "hour",  "hours", "day",   "days",
      "week",   "weeks",   "month",  "months",  "year", "years", "bit",   "bits",  "byte",
      "bytes",  "pts",     "pixel",  "pixels",  "msec", "msecs", "kbit",  "kbyte", "kbytes"};
  return std::ranges::find(kWords, text) != kWords.end();
}

}  // namespace ventris::documents
