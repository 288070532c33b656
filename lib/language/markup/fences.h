#pragma once
#include <string>
#include <string_view>

namespace ventris::markup {

/// Knows, line by line, which lines of a Markdown document are in a block of code between fences.
class Fences {
 public:
  /// Whether this next line, without what begins it (without_container), is in such a block or is one of its fences.
  bool take(std::string_view line);

  /// Whether the next line is in such a block, or ends it.
  bool inside() const { return !fence_.empty(); }

 private:
  std::string fence_;  // of the block in which the last line is; empty: it is in none
};

}  // namespace ventris::markup
