#pragma once
#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer.h"

/// Codes of WordPress and others in square brackets.
namespace ventris::markup {

using text::ByteRange;

/// Where a code ends that begins at byte `at`; 0 = there is none: "[gallery ids="1,2"]" and "[/caption]" of WordPress;
/// "[first_name]", "[FIRST_NAME]" and "[your-name]", names in its forms and mails; "[%key:a::b%]", another message of
/// Home Assistant.
size_t end_of_shortcode(std::string_view text, size_t at);

/// Codes in square brackets that stand in pairs, such as those of BBCode: "[b]old[/b]", "[url=x]here[/url]".
class BracketCodes {
 public:
  BracketCodes() = default;
  /// Finds the ends of a text.
  explicit BracketCodes(std::string_view text) { add(text); }
  /// Finds the ends of another text, too.
  void add(std::string_view text);
  /// Whether no text has an end.
  bool empty() const { return names_.empty(); }

  /// The end of the beginning of a pair whose end is in the text, "[b]" or "[url=x]", at this place; 0 = there is none.
  size_t end_of_start(std::string_view text, size_t at) const;

 private:
  std::set<std::string, std::less<>> names_;
};

/// The shortcodes of WordPress in a text of a page that cannot be words, in order: those with values of attributes,
/// the ends, the beginnings whose ends are among the codes of the page, names with "_", and one that is known
/// ("[gallery]") if it is all of the text.
std::vector<ByteRange> shortcodes_in(std::string_view text, const BracketCodes& codes);

/// The shortcodes of WordPress around code, from their beginning to their end, in order: "[code]npm install[/code]",
/// "[php]...[/php]", "[youtube]a1b2[/youtube]". Takes a time that grows with the document.
std::vector<ByteRange> code_shortcodes(std::string_view document);

}  // namespace ventris::markup
