#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer.h"

namespace ventris::markup {

/// Finds, line by line, the items of lists whose markers are small letters or Roman numbers ("a. one", "ii) two"), as
/// pandoc has them. The first item of a list begins the document, or is behind an empty line or another item; the next
/// one is below it, in the same column, with nothing between that is indented less.
class LetteredItems {
 public:
  /// The size of the letters of the item that this line is; 0 if it is none. `line`: the byte where it begins; `text`:
  /// its text, without what begins it (without_container). Lines are given in their order.
  size_t take(std::string_view document, size_t line, text::ByteRange text);

 private:
  struct List {
    size_t column = 0;
    std::string next;  // marker
    bool roman = false;
  };
  std::vector<List> open_;  // each further to the right than the one before
  bool may_begin_ = true;   // the last line was empty or an item
};

}  // namespace ventris::markup
