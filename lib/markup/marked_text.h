#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer.h"

namespace ventris::markup {

using text::ByteRange;

/// Makes text a part of its document: "&" becomes "&amp;" in HTML.
using Escape = std::function<std::string(std::string_view text)>;

/// U+FFFC in MarkedText::text, which stands for an object.
inline constexpr std::string_view kObject = "\uFFFC";

/// A tag inside a text, or a sign of Markdown.
struct Mark {
  enum class Kind {
    kOpen,
    kClose,
    kAlone  ///< without content, such as an image
  };
  size_t at = 0;  ///< the byte of the text before which it stands
  Kind kind = Kind::kAlone;
  std::string raw = {};      ///< as it is written
  bool never_empty = false;  ///< a pair without content would be text, as in Markdown
};

/// A text to translate, with what the model does not see.
struct MarkedText {
  std::string text;                       ///< kObject stands for each object
  std::vector<Mark> marks = {};           ///< sorted by place
  std::vector<std::string> objects = {};  ///< what comes back as it is, such as code or a placeholder, in order

  /// Bytes [begin, end) with their objects and with the marks inside, not those at the ends.
  MarkedText slice(ByteRange range) const;

  /// Bytes [begin, end] as they are written: with the objects, and with the marks inside and at both ends. `escape`, if
  /// given, is applied to all other text.
  std::string raw(ByteRange range, const Escape& escape = {}) const;

  /// Replaces the range by an object, its text with `escape`; marks inside are lost, so there should be none.
  void hide(ByteRange range, const Escape& escape = {});
};

/// Appends a mark. "!" before a link of Markdown would make it an image, so it gets a backslash.
void append_mark(std::string& text, std::string_view raw);

}  // namespace ventris::markup
