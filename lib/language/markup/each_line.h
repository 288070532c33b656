#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/process.h"
#include "markup/characters.h"

namespace ventris::markup {

/// Calls visit(begin, end) for each line of a document (std::string or std::string_view), without the line end. `visit`
/// may change the bytes of lines up to this one, but not the length of the document. Throws Interrupted after a stop
/// signal.
template <typename Document, typename Visit>
void each_line(const Document& document, const Visit& visit) {
  constexpr int64_t kLines = 4096;
  int64_t lines = 0;
  for (size_t at = 0; at < document.size();) {
    if (++lines % kLines == 0) core::throw_if_stopped("parsing");
    const size_t end = std::min(document.find('\n', at), document.size());
    visit(at, end);
    at = end + 1;
  }
}

/// Takes the next line of a text, without blanks at its end.
inline std::string_view take_line(std::string_view& rest) {
  const size_t end = std::min(rest.find('\n'), rest.size());
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return without_blanks_behind(line);
}

}  // namespace ventris::markup
