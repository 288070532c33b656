#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "markup/marked_text.h"
#include "office/paragraphs.h"

namespace ventris::office {

/// Items [first, last] of a paragraph whose texts are translated together. Elements around items are whole in it.
struct ItemRange {
  size_t first = 0, last = 0;
};

/// The texts of a paragraph: what is between breaks and has letters, without the items around it.
std::vector<ItemRange> texts_of(const std::vector<Item>& items);

/// The format that most characters have.
size_t usual_format(const std::vector<Item>& items, ItemRange range);

/// The items as a text. Its marks and objects are signs for them: "<i5>" for item 5, "<n5>" if it is raised, "<sub5>"
/// if it is lowered (Item::Script), "<f2>" and "</f>" around what has format 2 and not the usual one.
markup::MarkedText marked_text(const std::vector<Item>& items, ItemRange range, size_t usual_format);

/// A part of a translation of such a text, as it was written with its signs.
struct Sign {
  enum class Kind { kText, kItem, kFormat, kFormatEnd };
  Kind kind = Kind::kText;
  std::string_view text = {};  ///< of kText
  size_t number = 0;           ///< of the item or format
};

/// The parts of a translation, in order. Each item of the range is there once, and those around others are nested as
/// before. If the translation is not so, its text comes first, and then all items in their order.
std::vector<Sign> signs_of(std::string_view translation, const std::vector<Item>& items, ItemRange range);

}  // namespace ventris::office
