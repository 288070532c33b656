#pragma once
#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer.h"

/// Where code in a text ends that begins at byte `at`; 0 = there is none.
namespace ventris::documents {

/// "<code>npm install</code>", and other elements whose content HTML does not translate, or that have translate="no" or
/// the class "notranslate". `start_tag`: what may be the start tag.
size_t end_of_code_element(std::string_view text, text::ByteRange start_tag);

/// "{$START_TAG_MAT_ICON}home{$CLOSE_TAG_MAT_ICON}": tags of Angular in JSON whose words are code or the name of an
/// icon
size_t end_of_angular_code(std::string_view text, size_t at);

/// "`npm install`", as Markdown writes code, not "`a' and `b'" of GNU.
size_t end_of_backticks(std::string_view text, size_t at);

/// "[gallery ids="1,2"]" and "[/caption]", codes of WordPress; "[first_name]", "[FIRST_NAME]" and "[your-name]", names
/// in its forms and mails; "[%key:a::b%]", another message of Home Assistant.
size_t end_of_shortcode(std::string_view text, size_t at);

/// Codes in square brackets that stand in pairs, such as those of BBCode: "[b]old[/b]", "[url=x]here[/url]".
class BracketCodes {
 public:
  BracketCodes() = default;
  /// Finds the ends of a text.
  explicit BracketCodes(std::string_view text) { add(text); }
  /// Finds the ends of another text, too.
  void add(std::string_view text);

  /// The end of the beginning of a pair whose end is in the text, "[b]" or "[url=x]", at this place; 0 = there is none.
  size_t end_of_start(std::string_view text, size_t at) const;

 private:
  std::set<std::string, std::less<>> names_;
};

/// The shortcodes of WordPress in a text of a page that cannot be words, in order: those with values of attributes,
/// the ends, the beginnings whose ends are among the codes of the page, names with "_", and one that is known
/// ("[gallery]") if it is all of the text.
std::vector<text::ByteRange> shortcodes_in(std::string_view text, const BracketCodes& codes);

}  // namespace ventris::documents
