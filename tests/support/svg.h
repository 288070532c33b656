#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace ventris::test {

/// How often `part` is in what a drawing shows, without the values under the pointer.
inline size_t count_shown(const std::string& svg, std::string_view part) {
  constexpr std::string_view kTip = "<g class=\"tip\"", kEnd = "</g>";
  size_t count = 0, at = 0;
  while (at < svg.size()) {
    if (svg.compare(at, kTip.size(), kTip) == 0) {
      const size_t end = svg.find(kEnd, at);
      if (end == std::string::npos) break;
      at = end;
    } else if (svg.compare(at, part.size(), part) == 0) {
      ++count;
    }
    ++at;
  }
  return count;
}

}  // namespace ventris::test
