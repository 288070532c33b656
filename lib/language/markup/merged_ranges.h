#pragma once
#include <algorithm>
#include <vector>

#include "text/tokenizer.h"

namespace ventris::markup {

/// The ranges by place. Those that overlap are one; those that only touch are not.
inline std::vector<text::ByteRange> merged_ranges(std::vector<text::ByteRange> ranges) {
  std::ranges::sort(ranges, {}, &text::ByteRange::begin);
  std::vector<text::ByteRange> merged;
  for (const text::ByteRange& range : ranges) {
    if (!merged.empty() && range.begin < merged.back().end) {
      merged.back().end = std::max(merged.back().end, range.end);
    } else {
      merged.push_back(range);
    }
  }
  return merged;
}

}  // namespace ventris::markup
