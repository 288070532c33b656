#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "markup/markup.h"

namespace ventris::markup {

/// Counts the parts of a document while it is parsed.
class ParsingLimits {
 public:
  explicit ParsingLimits(std::string_view document, size_t most = kMostParts) : document_(document), most_(most) {}

  /// Called for each part; `at`: its place in the document. Throws MarkupError if there are more than `most`, and
  /// Interrupted after a stop signal.
  void count(size_t at);

 private:
  std::string_view document_;
  size_t most_, parts_ = 0;
};

}  // namespace ventris::markup
