#pragma once
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ventris::markup {

/// A copy of a Markdown document in which some blank lines have more spaces, and with a blank line of spaces in front
/// if this is needed. The parser (md4c 0.4.8) takes the place of a line for the beginning of a list item if the lowest
/// byte of this place is kItem. It looks at the last line before a blank one, at the place of its text or, for code and
/// HTML, of its end. Then it ends the list in front of the next paragraph. The spaces move these lines to other places,
/// and mean nothing, except in blocks of code and HTML, where they are at the ends of lines.
class ParserPadding {
 public:
  /// `document` must outlive this.
  explicit ParserPadding(std::string_view document);

  const std::string& text() const { return text_; }
  std::string_view document() const { return document_; }

  /// The place in the document of this place in text(), which is not inside the padding.
  size_t place(size_t at) const;

 private:
  static constexpr size_t kPlaces = 256, kItem = 4;

  struct Padding {
    size_t behind = 0;  ///< the first byte behind it in text()
    size_t size = 0;    ///< of all padding up to there
  };

  void divide();
  void pad(size_t end);
  void add_line(std::string_view line, size_t begin);

  std::string_view document_;
  std::string text_;
  std::vector<Padding> paddings_;
  size_t begin_ = 0;    // of the bytes of the document that are not in text_ yet; padding comes in front of them
  std::array<bool, kPlaces> places_ = {};  // of them the parser may look at these, from begin_ on, modulo kPlaces
};

}  // namespace ventris::markup
