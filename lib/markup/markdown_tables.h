#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer.h"

namespace ventris::markup {

using text::ByteRange;

/// A Markdown document in which each cell of a row that can be the delimiter row of a table ("|-|:-:|") has at least
/// three hyphens. GitHub's specification asks for one, but the parser for three. Lines stay, places move.
class WidenedTables {
 public:
  explicit WidenedTables(std::string_view document);

  std::string_view text() const { return changed() ? std::string_view(text_) : document_; }
  bool changed() const { return !added_.empty(); }

  /// The place in the document of a place in text(); inside of what was added, the place before it.
  size_t place(size_t at) const;

 private:
  struct Added {
    size_t at = 0;     // in text()
    size_t count = 0;  // hyphens
    size_t sum = 0;    // with those before
  };
  void add_line(ByteRange line);

  std::string_view document_;
  std::string text_;
  std::vector<Added> added_;
  size_t done_ = 0;  // bytes of the document in text_
};

}  // namespace ventris::markup
