#pragma once
#include <string>
#include <vector>

#include "markup/markdown_extensions.h"

namespace ventris::markup {

using Texts = std::vector<std::string>;

/// What a document has of extensions (markdown_extensions), as it is written.
inline Texts extensions(const std::string& document) {
  Texts texts;
  for (const ByteRange& span : markdown_extensions(document).spans) {
    texts.push_back(document.substr(span.begin, span.end - span.begin));
  }
  return texts;
}

}  // namespace ventris::markup
