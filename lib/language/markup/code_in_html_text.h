#pragma once
#include <string_view>
#include <vector>

#include "text/tokenizer.h"

namespace ventris::markup {

/// A part of a text of HTML that is code.
struct TextCode {
  text::ByteRange range;
  bool statement = true;  ///< it divides the text; otherwise it stands for a part of it
};

/// Finds code that is written in the text of HTML: the control flow of Angular (@if (a) {, } @else {, @for (...) {,
/// @let a = b;, and the braces that end these), and questions of Moodle ({1:MULTICHOICE:=a~b}).
class CodeInHtmlText {
 public:
  /// The document must outlive this.
  explicit CodeInHtmlText(std::string_view document) : document_(document) {}

  /// What is in this text, in order. Texts come in their order. Takes a time that grows with the text.
  std::vector<TextCode> find(text::ByteRange range);

 private:
  size_t end_of_statement(size_t at, size_t end);
  size_t end_of_question(size_t at, size_t end) const;

  std::string_view document_;
  std::vector<bool> open_;  // braces, if one of them is that of a statement: whether each is
};

}  // namespace ventris::markup
