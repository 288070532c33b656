#pragma once
#include <functional>
#include <string>
#include <vector>

#include "formats/format_reading.h"

namespace ventris::test {

/// The texts of a document, one for each block, as an unchanged translation has them.
inline std::vector<std::string> format_texts(const markup::MarkedDocument& document, markup::Markup markup) {
  std::vector<std::string> texts;
  for (const markup::Block& block : document.blocks) {
    texts.push_back(block.text.raw({0, block.text.text.size()},
                                   [&](std::string_view text) { return markup::escape(text, markup); }));
  }
  return texts;
}

inline std::vector<std::string> format_texts(const std::string& document, markup::Markup markup,
                                             const formats::FormatOptions& options = {}) {
  return format_texts(formats::read_document(document, markup, {}, options), markup);
}

/// The document in which each text is what `change` makes of it; by default, the same.
inline std::string written_format(const std::string& document, markup::Markup markup,
                                  const std::function<std::string(const std::string&)>& change = {},
                                  const formats::FormatOptions& options = {}) {
  const markup::MarkedDocument read = formats::read_document(document, markup, {}, options);
  std::vector<std::string> texts = format_texts(read, markup);
  for (std::string& text : texts) text = change ? change(text) : text;
  return read.writer->write(texts);
}

}  // namespace ventris::test
