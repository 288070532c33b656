#include "documents/tag_placeholders.h"

#include <algorithm>
#include <string>

#include "documents/code_placeholders.h"
#include "documents/sign_matcher.h"
#include "markup/characters.h"
#include "markup/html.h"

namespace ventris::documents {
namespace {

class TagMatcher : public SignMatcher {
 public:
  using SignMatcher::SignMatcher;

  /// "<b>" or "</b>", "<0>" or "<0/>", "<%= name %>", "<?= $name ?>"
  size_t end_of_tag(size_t at) const {
    if (is_at(at + 1, "?=") || is_at(at + 1, "?php")) return end_between(at + 3, "?>");
    if (is_at(at + 1, "%")) return end_between(at + 2, "%>");
    if (is_at(at + 1, "!")) return end_of_declaration(at);
    if (is_at(at + 1, "<")) {  // "<<name>>"
      const size_t inner = end_in_word(at + 2, '>');
      return inner != kNoEnd && is_letter(at + 2) && is_at(inner, ">") ? inner + 1 : kNoEnd;
    }
    if ((is_at(at + 1, "#") || is_at(at + 1, "@")) && is_alnum(at + 2)) {  // of Slack: "<#C1|general>", "<@U1>"
      return end_in_word(at + 2, '>');
    }
    const size_t name = at + (is_at(at + 1, "/") ? 2 : 1);
    if (is_digit(name)) return end_of_numbered_tag(name);
    if (is_at(name, "_:")) return end_in_word(name + 2, '>');  // "<_:media-1/>" of itstool
    if (!is_letter(name)) return kNoEnd;
    const size_t end = end_of_attributes(name);
    if (end == kNoEnd) return kNoEnd;
    return text()[name - 1] == '<' ? std::max(end_of_code_element(text(), {at, end}), end) : end;
  }

 private:
  /// Behind the ">" of a tag; signs in quoted values are no ends.
  size_t end_of_attributes(size_t at) const {
    const std::string_view shown = text().substr(0, std::min(at + kLongestTag, text().size()));
    for (at = shown.find_first_of("<>=", at); at != std::string_view::npos; at = shown.find_first_of("<>=", at)) {
      if (shown[at] == '>') return at + 1;
      if (shown[at] == '<') return kNoEnd;
      at = std::min(shown.find_first_not_of(' ', at + 1), shown.size());
      const bool quoted = at < shown.size() && (shown[at] == '"' || shown[at] == '\'');
      const size_t close = quoted ? shown.find(shown[at], at + 1) : std::string_view::npos;
      if (close != std::string_view::npos) at = close + 1;
    }
    return kNoEnd;
  }

  /// "<!-- more -->", "<!DOCTYPE html>", and the beginning of a CDATA section, whose content is text
  size_t end_of_declaration(size_t at) const {
    constexpr std::string_view kSection = "<![CDATA[";
    if (is_at(at, kSection)) return at + kSection.size();
    if (is_at(at, "<!--")) return end_between(at + 4, "-->");
    return is_letter(at + 2) ? end_of_attributes(at + 2) : kNoEnd;
  }

  size_t end_of_numbered_tag(size_t digits) const {
    size_t end = std::min(text().find_first_not_of("0123456789", digits), text().size());
    end = std::min(text().find_first_not_of(' ', end), text().size());
    if (is_at(end, "/>") && text()[digits - 1] == '<') return end + 2;
    return is_at(end, ">") ? end + 1 : kNoEnd;
  }
};

}  // namespace

size_t end_of_tag(std::string_view text, size_t at) { return TagMatcher(text).end_of_tag(at); }

size_t end_of_escaped_tag(std::string_view text, size_t at) {
  constexpr std::string_view kBegin = "&lt;", kEnd = "&gt;";
  const std::string_view shown = text.substr(0, std::min(at + kLongestTag, text.size()));
  if (!shown.substr(at).starts_with(kBegin)) return kNoEnd;
  const size_t begin = at + kBegin.size(), name = begin + (shown.substr(begin).starts_with('/') ? 1 : 0);
  const size_t end = shown.find(kEnd, begin), cut = shown.find_first_of("<>\n", begin);
  if (end == std::string_view::npos || cut < end || name == end || !markup::is_letter(shown[name])) return kNoEnd;
  const std::string_view inside = shown.substr(name, end - name);
  const size_t space = inside.find(' ');
  const bool words = space < inside.size() && inside.substr(space) != " /";
  const bool element =
      markup::is_element_of_html(inside.substr(0, space)) && inside.find('=') != std::string_view::npos;
  const bool nested = inside.find(kBegin) != std::string_view::npos;
  if (nested || (words && !element)) return kNoEnd;
  const std::string tag(inside.substr(0, space));
  if (name > begin || markup::role_of_element(tag) != markup::HtmlRole::kInlineCode) return end + kEnd.size();
  const std::string closing = "&lt;/" + tag + "&gt;";
  const size_t close = shown.find(closing, end);
  return close == std::string_view::npos ? end + kEnd.size() : close + closing.size();
}

size_t end_of_bracketed_words(std::string_view text, size_t at) {
  const std::string_view shown = text.substr(at, kLongestName);
  const size_t end = shown.find_first_of("<>", 1);
  if (end == std::string_view::npos || shown[end] != '>') return kNoEnd;
  const std::string_view words = shown.substr(1, end - 1), first = words.substr(0, words.find(' '));
  const auto is_letter = [](char c) { return markup::is_alnum_byte(c) && (c < '0' || c > '9'); };
  const auto is_of_words = [&](char c) { return is_letter(c) || is_sign_of(c, " ,.'"); };
  const bool several = first.size() < words.size() && is_letter(words.front()) && words.back() != ' ';
  const bool tag = first.front() >= 'a' && first.front() <= 'z' && markup::is_element_of_html(first);
  return several && std::ranges::all_of(words, is_of_words) && !tag ? at + end : kNoEnd;
}

}  // namespace ventris::documents
