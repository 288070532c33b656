#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "markup/characters.h"
#include "text/tokenizer.h"

namespace ventris::markup {

using text::ByteRange;

/// What the functions that look for the end of something return if there is nothing that ends.
inline constexpr size_t kNoEnd = std::string_view::npos;

/// A paragraph of Markdown, whose lines are not blank, and its spans of code. Places are bytes of the paragraph. All
/// functions together take little more than a time that grows with the paragraph, if places are asked for in their
/// order, with few looks ahead.
class Paragraph {
 public:
  /// The text must outlive this.
  explicit Paragraph(std::string_view text);

  std::string_view text() const { return text_; }
  std::string_view rest(size_t at) const { return text_.substr(at); }
  /// A line feed behind the end.
  char character(size_t at) const { return at < text_.size() ? text_[at] : '\n'; }
  /// Whether a letter or digit of ASCII is before this place. (Chinese and Japanese have no spaces between words.)
  bool word_before(size_t at) const;

  /// Where a sign comes next, from this place on; the end of the text if it does not.
  size_t next_of(const std::string& sign, size_t at);
  size_t end_of_line(size_t at) { return next_of("\n", at); }

  /// The end of the code that begins here; kNoEnd if none does.
  size_t end_of_code(size_t at) const;
  /// Whether code is, or reaches, inside these bytes.
  bool has_code(size_t begin, size_t end) const;
  /// Whether code reaches over the beginning or the end of these bytes.
  bool cuts_code(size_t begin, size_t end) const;
  /// Backticks that begin and end no code.
  const std::vector<ByteRange>& left_over_backticks() const { return left_over_; }

 private:
  void find_code();

  std::string_view text_;
  std::vector<ByteRange> code_;
  std::vector<ByteRange> left_over_;
  /// A sign comes at `place`, and not between `from` and there.
  struct Found {
    size_t from, place;
  };
  std::map<std::string, Found> next_;
};

}  // namespace ventris::markup
