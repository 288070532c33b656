#pragma once
#include <algorithm>
#include <cctype>
#include <string>

#include "markup/markup.h"

namespace ventris::markup {

/// The document as a translation would leave it that writes each letter as a capital.
inline std::string in_capitals(const std::string& document, Markup markup, const DocumentChanges& changes = {}) {
  const auto capitals_of = [&](std::string_view part, Escaping escaping) {
    std::string text(part);
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return escape(text, markup, escaping);
  };
  const MarkedDocument parsed = parse_markup(document, markup, changes);
  std::string text;
  for (const Block& block : parsed.blocks) {
    const auto capitals = [&](std::string_view part) { return capitals_of(part, block.escaping); };
    text += block.before + block.text.raw({0, block.text.text.size()}, capitals);
  }
  text += parsed.after;
  return put_apart_texts(text);
}

}  // namespace ventris::markup
