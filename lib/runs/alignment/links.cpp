#include "alignment/links.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace ventris::alignment {

std::string format_probabilities(const std::vector<float>& probabilities) {
  std::string text;
  for (const float probability : probabilities) {
    const double rounded = std::round(static_cast<double>(probability) * 1000) / 1000;
    fmt::format_to(std::back_inserter(text), "{}{}", text.empty() ? "" : " ", rounded);
  }
  return text;
}

}  // namespace ventris::alignment
