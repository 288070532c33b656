#pragma once
#include <string>
#include <vector>

#include "documents/builtin_placeholders.h"

namespace ventris::documents {

/// The builtin placeholders of a text.
inline std::vector<std::string> found_in(const std::string& text) {
  std::vector<std::string> found;
  for (const ByteRange& range : builtin_placeholders(text)) {
    found.push_back(text.substr(range.begin, range.end - range.begin));
  }
  return found;
}

}  // namespace ventris::documents
