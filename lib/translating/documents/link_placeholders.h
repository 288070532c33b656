#pragma once
#include <cstddef>
#include <string_view>
#include <unordered_map>

#include "text/tokenizer.h"

namespace ventris::documents {

/// The links of Markdown in a message, "[words](target)", whose words are translated, with those of images and with
/// what Apple says of the grammar of words: "![words](target)", "^[words](inflect: true)"; and names of Campaign
/// Monitor with the words that stand there without a name: "[firstname,fallback=words]". A target is everything up to
/// its bracket, without white space outside of braces and angle brackets, and perhaps a title in quotation marks. So
/// "[optional](see below)" is none, and no index is a link: "a[0](b)". The time grows with the text.
class LinkParts {
 public:
  /// Finds the links of a text.
  explicit LinkParts(std::string_view text);

  /// The end of the part of a link that begins at this byte: what is in front of the words or behind them, such as "["
  /// and "](target)". kNoEnd (sign_matcher.h): there is none.
  size_t end_of_part(size_t at) const;

 private:
  void add(std::string_view text, text::ByteRange brackets);

  std::unordered_map<size_t, size_t> ends_;
};

/// Whether the text of a placeholder is the part of a link that stands in front of its words.
bool begins_link(std::string_view raw);

/// Whether it is the part behind them.
bool ends_link(std::string_view raw);

}  // namespace ventris::documents
