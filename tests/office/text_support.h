#pragma once
#include <string>
#include <vector>

#include "markup/markup.h"

namespace ventris::office {

/// The texts of a document, with marks and objects as they are written in a translation.
inline std::vector<std::string> texts_of(const markup::MarkedDocument& document) {
  std::vector<std::string> texts;
  for (const markup::Block& block : document.blocks) {
    texts.push_back(block.text.raw({0, block.text.text.size()},
                                   [](std::string_view text) { return markup::escape(text, markup::Markup::kXml); }));
  }
  return texts;
}

}  // namespace ventris::office
