#include "documents/builtin_placeholders.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>

#include "documents/code_placeholders.h"
#include "documents/printf_conversion.h"
#include "formats/code_in_messages.h"
#include "markup/addresses.h"
#include "markup/html.h"
#include "markup/text_cursor.h"

namespace ventris::documents {
namespace {

using markup::character_at;
using markup::character_before;
using markup::end_of_run;
using markup::is_cjk;
using markup::is_word_character;
using markup::next_character;

constexpr size_t kNoEnd = 0;  // instead of the end of a placeholder
constexpr size_t kLongestName = 100, kLongestTag = 1000;
constexpr std::string_view kDigits = "0123456789";

/// Whether braces with this content are a placeholder, not text in braces.
bool is_code(std::string_view content) {
  if (content.starts_with('{') && content.ends_with('}')) return true;
  if (content.size() > 1 && (content[0] == '%' || content[0] == '#') && content.ends_with(content[0])) return true;
  size_t begin = std::min(content.find_first_not_of(' '), content.size());
  const bool fluent = begin + 1 < content.size() && (content[begin] == '$' || content[begin] == '-') &&
                      is_word_character(character_at(content, begin + 1));
  if (fluent) ++begin;  // { $name }, { -term }
  const size_t name =
      end_of_run(content, begin, [&](UChar32 c) { return is_word_character(c) || c == '.' || (fluent && c == '-'); });
  const size_t next = std::min(content.find_first_not_of(' ', name), content.size());
  if (next == content.size()) return true;  // a name, or nothing
  if (fluent && content.substr(next).starts_with("->")) return true;
  const bool one_word = content.substr(0, kLongestName + 1).find_first_of(" \t\n") == std::string_view::npos;
  if (one_word && content.size() <= kLongestName) return true;
  const std::string_view rest = content.substr(next + 1);
  if (content[next] == ':' || content[next] == '!') return next == name && !rest.starts_with(' ');  // {day:%d %m}
  if (content[next] != ',') return false;
  const std::string_view type = rest.substr(std::min(rest.find_first_not_of(' '), rest.size()));
  constexpr std::array<std::string_view, 11> kTypes{"plural",   "select",  "selectordinal", "number", "date", "time",
                                                    "spellout", "ordinal", "duration",      "choice", "list"};
  return std::ranges::any_of(kTypes, [&](std::string_view word) {
    return type.starts_with(word) && !is_word_character(character_at(type, word.size()));
  });
}

/// Finds the end of what begins at a place.
class Matcher {
 public:
  explicit Matcher(std::string_view text) : text_(text) {}

  /// "%": a conversion of printf, Python or Ruby, or a name between such signs.
  size_t end_of_percent(size_t at, bool after_placeholder) const {
    if (is_at(at + 1, "%")) return std::max(end_of_name_in(at, "%%"), at + 2);
    const size_t name = std::max(end_of_name_in(at, "%"), end_of_number(at, after_placeholder));
    if (name != kNoEnd) return name;
    if (const size_t plural = end_of_plural(at); plural != kNoEnd) return plural;
    if (is_at(at + 1, "|")) return end_of_bars(at);
    constexpr std::string_view kOpening = "(<[", kClosing = ")>]";
    const size_t kind = at + 1 < text_.size() ? kOpening.find(text_[at + 1]) : std::string_view::npos;
    const size_t end = kind != std::string_view::npos ? end_in_word(at + 2, kClosing[kind]) : kNoEnd;
    const bool after_number = !after_placeholder && is_after_number(at);
    if (after_number && (kind == 0 || kind == 1)) return kNoEnd;  // "30%(a)"
    if (end != kNoEnd && (kind != 2 || !is_digit(at + 2))) return PrintfConversion(text_, end).end_without_space();
    if (kind == 0 && !PrintfConversion::has_flag_of_java(text_, at + 1)) return end_of_words(at);
    return end_of_conversion(at, after_placeholder);
  }

  /// "%#@name@" and "%1$#@name@" of Apple
  size_t end_of_plural(size_t at) const {
    size_t sign = at + 1;
    while (is_digit(sign)) ++sign;
    sign = is_at(sign, "$") ? sign + 1 : at + 1;
    return is_at(sign, "#@") ? end_in_word(sign + 2, '@') : kNoEnd;
  }
  /// "%(my name)s" of Python
  size_t end_of_words(size_t at) const {
    const size_t close = text_.substr(0, std::min(at + kLongestName, text_.size())).find_first_of(")(\n", at + 2);
    if (close >= text_.size() || text_[close] != ')') return kNoEnd;
    const size_t end = PrintfConversion(text_, close + 1).end_without_space();
    return end != kNoEnd && letters_behind(end) == 0 ? end : kNoEnd;
  }
  /// "%|1$s|" of Boost
  size_t end_of_bars(size_t at) const {
    if (at > 0 && is_digit(at - 1)) return kNoEnd;
    const size_t end =
        std::min(text_.find_first_not_of("0123456789$-+=_#'.*hlLdiouxXeEfFgGsScCpt", at + 2), text_.size());
    return end > at + 2 && is_at(end, "|") ? end + 1 : kNoEnd;
  }

  /// "5%", "5 %", also with a space that does not break.
  bool is_after_number(size_t at) const {
    const std::string_view before = text_.substr(0, at);
    for (const std::string_view space : {"", " ", "\u00A0", "\u202F"}) {
      if (before.ends_with(space) && before.size() > space.size() && is_digit(at - space.size() - 1)) return true;
    }
    return false;
  }

  size_t end_of_conversion(size_t at, bool after_placeholder) const {
    const PrintfConversion conversion(text_, at + 1);
    const bool behind_digit = !after_placeholder && at > 0 && is_digit(at - 1);
    const bool after_number = !after_placeholder && is_after_number(at);
    if (conversion.end() == kNoEnd) return after_number ? kNoEnd : end_of_date_field(at);
    if (after_number && conversion.has_space()) return kNoEnd;
    const size_t letters = letters_behind(conversion.end());
    const char sign = text_[conversion.end() - 1];
    const bool usual = std::string_view("sdiuoxXc@").find(sign) != std::string_view::npos;
    if (behind_digit && !conversion.has_position()) {  // "(0%o)", not "50%ige"
      return usual && letters == 0 && !conversion.has_space() ? conversion.end() : kNoEnd;
    }
    if (text_.substr(at, 2) == "%n" && u_isupper(character_at(text_, at + 2)) != 0)
      return at + 2;  // a line end of Java
    const bool apart = usual && !after_number && begins_another_word(conversion.end());
    const bool whole = letters == 0 || conversion.has_digits() || apart ||
                       (letters <= 2 && !conversion.has_space() && !after_number);  // %ds, %dMB, not %discount
    return whole ? conversion.end() : kNoEnd;
  }

  /// Whether what touches a conversion is no part of the same word: "%sThe", "%@the", "%dmin".
  bool begins_another_word(size_t at) const {
    constexpr std::array<std::string_view, 34> kUnits{
        "min",   "mins",   "minute", "minutes", "sec",    "secs",  "second", "seconds", "hrs",  "hour", "hours", "day",
        "days",  "week",   "weeks",  "month",   "months", "year",  "years",  "bit",     "bits", "byte", "bytes", "pts",
        "pixel", "pixels", "msec",   "msecs",   "kbit",   "kbyte", "kbytes", "fps",     "dpi",  "ppi"};
    if (text_[at - 1] == '@' || u_isupper(character_at(text_, at)) != 0) return true;
    const size_t end = end_of_run(text_, at, [](UChar32 c) { return is_word_character(c); });
    return std::ranges::find(kUnits, text_.substr(at, end - at)) != kUnits.end();
  }

  /// "%Y", "%-H", "%^B": a field of strftime() that is no conversion of printf.
  size_t end_of_date_field(size_t at) const {
    constexpr std::string_view kFlags = "-_^#0:EO", kFields = "BDHIJLMNPRVWYZDhjklwyz";
    const size_t field = std::min(text_.find_first_not_of(kFlags, at + 1), text_.size());
    const bool known = field <= at + 2 && field < text_.size() && kFields.find(text_[field]) != std::string_view::npos;
    return known && letters_behind(field + 1) <= 2 ? field + 1 : kNoEnd;
  }

  /// "%name%" or "%%name%%". No conversion is a name: "%d%s", "%lu%%".
  size_t end_of_name_in(size_t at, std::string_view signs) const {
    const size_t begin = at + signs.size();
    if (!is_letter(begin) || (at > 0 && is_digit(at - 1))) return kNoEnd;
    const size_t end =
        end_of_run(text_, begin, [](UChar32 c) { return c < 0x80 && (is_word_character(c) || c == '.'); });
    const size_t last = end + signs.size();
    const size_t least = signs.size() > 1 ? 1 : 2;
    if (end < begin + least || !is_at(end, signs) || is_alnum(last) || is_at(last, "%")) return kNoEnd;
    return PrintfConversion(text_, begin).end() == end ? kNoEnd : last;
  }

  /// "%1" and "%L1" of Qt, "%1%" of Boost, "%1!s!" of Windows
  size_t end_of_number(size_t at, bool after_placeholder) const {
    const size_t digits = at + (is_at(at + 1, "L") ? 2 : 1);
    size_t end = digits;
    while (is_digit(end)) ++end;
    const bool behind_digit = !after_placeholder && at > 0 && is_digit(at - 1);
    if (end == digits || end > digits + 2 || behind_digit) return kNoEnd;
    if (is_at(end, "%") && !is_alnum(end + 1)) return end + 1;  // of Boost, or a percentage
    if (is_at(end, "!")) {
      const size_t closed = end_in_word(end + 1, '!');
      if (closed != kNoEnd) return closed;
    }
    const bool goes_on = is_alnum(end) || (end < text_.size() &&
                                           std::string_view("$.*%[ -+#':").find(text_[end]) != std::string_view::npos &&
                                           PrintfConversion(text_, at + 1).end() != kNoEnd);
    return goes_on ? kNoEnd : end;
  }

  /// "$name" or ":name", also "$name$", ":name:" and "$t(name)"
  size_t end_of_name(size_t at) const {
    const bool colon = text_[at] == ':';
    if (at > 0 && (is_word_character(character_before(text_, at)) || text_[at - 1] == text_[at])) return kNoEnd;
    if (is_at(at, "$t(")) {  // of i18next: another message
      const size_t bracket = text_.substr(0, at + kLongestTag).find_first_of(")\n", at);
      if (bracket < text_.size() && text_[bracket] == ')') return bracket + 1;
    }
    const size_t end = end_of_run(text_, at + 1, [](UChar32 c) { return c < 0x80 && is_word_character(c); });
    if (end == at + 1 || is_digit(at + 1) || (colon && end == at + 2)) return kNoEnd;
    if (text_[at] == '$' && (is_at(end, "->") || is_at(end, "["))) return end_of_members(end);
    const bool closed = is_at(end, text_.substr(at, 1)) && (colon || !is_word_character(character_at(text_, end + 1)));
    return closed ? end + 1 : end;  // ":name:", "$NAME$"
  }

  /// "->name" and "['name']" of PHP, behind a variable
  size_t end_of_members(size_t at) const {
    for (;;) {
      const bool arrow = is_at(at, "->") && is_letter(at + 2), index = is_at(at, "[");
      const size_t begin = at + (arrow ? 2 : 1);
      const size_t end = end_of_run(text_, begin, [&](UChar32 c) {
        return c < 0x80 && (is_word_character(c) || (index && (c == '\'' || c == '"' || c == '$')));
      });
      if (!arrow && (!index || end == begin || !is_at(end, "]"))) return at;
      at = end + (index ? 1 : 0);
    }
  }

  /// "\n" as two characters, and others.
  size_t end_of_escape(size_t at) const {
    const char next = at + 1 < text_.size() ? text_[at + 1] : ' ';
    if (next == '(') return end_of_brackets(at);
    if (next == '{' || next == '}') return std::max(end_of_escaped_braces(at), at + 2);
    if (std::string_view("nrt\"'\\/").find(next) != std::string_view::npos) return at + 2;
    if (std::string_view("abefv0").find(next) != std::string_view::npos)
      return letters_behind(at + 2) == 0 ? at + 2 : kNoEnd;
    const size_t digits = next == 'x' ? 2 : next == 'u' ? 4 : next == 'U' ? 8 : 0;
    const size_t end = std::min(text_.find_first_not_of("0123456789abcdefABCDEF", at + 2), text_.size());
    return digits > 0 && end >= at + 2 + digits ? at + 2 + digits : kNoEnd;
  }

  /// "\{name\}"
  size_t end_of_escaped_braces(size_t at) const {
    const size_t end = is_at(at, "\\{") ? end_in_word(at + 2, '}') : kNoEnd;
    return end != kNoEnd && text_[end - 2] == '\\' ? end : kNoEnd;
  }

  /// "'{name}'", "'{'": braces that are text, in a pattern of ICU
  size_t end_of_quoted_braces(size_t at) const {
    if (!is_at(at + 1, "{") && !is_at(at + 1, "}")) return kNoEnd;
    if (is_at(at + 2, "'")) return at + 3;
    const size_t end = text_.substr(0, std::min(at + kLongestName, text_.size())).find_first_of("'{}\n", at + 2);
    return is_at(at + 1, "{") && end < text_.size() && is_at(end, "}'") ? end + 2 : kNoEnd;
  }

  /// "[[${name}]]" and "[(${name})]" of Thymeleaf
  size_t end_of_inlined(size_t at) const {
    if (!is_at(at + 2, "${")) return kNoEnd;
    return is_at(at, "[[") ? end_between(at + 4, "]]") : is_at(at, "[(") ? end_between(at + 4, ")]") : kNoEnd;
  }

  /// "<b>" or "</b>", "<0>" or "<0/>", "<%= name %>", "<?= $name ?>"
  size_t end_of_tag(size_t at) const {
    if (is_at(at + 1, "?=") || is_at(at + 1, "?php")) return end_between(at + 3, "?>");
    if (is_at(at + 1, "%")) return end_between(at + 2, "%>");
    if (is_at(at + 1, "!")) return end_of_declaration(at);
    if (is_at(at + 1, "<")) {  // "<<name>>"
      const size_t inner = end_in_word(at + 2, '>');
      return inner != kNoEnd && is_letter(at + 2) && is_at(inner, ">") ? inner + 1 : kNoEnd;
    }
    const size_t name = at + (is_at(at + 1, "/") ? 2 : 1);
    if (is_digit(name)) return end_of_numbered_tag(name);
    if (!is_letter(name)) return kNoEnd;
    const size_t end = end_of_attributes(name);
    if (end == kNoEnd) return kNoEnd;
    return text_[name - 1] == '<' ? std::max(end_of_code_element(text_, {at, end}), end) : end;
  }

  /// Behind the ">" of a tag; signs in quoted values are no ends.
  size_t end_of_attributes(size_t at) const {
    const std::string_view shown = text_.substr(0, std::min(at + kLongestTag, text_.size()));
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

  /// "##name##", "$$name$$", "*|name|*" of Mailchimp
  size_t end_of_doubled_name(size_t at) const {
    const std::string_view begins = text_.substr(at, 2), ends = begins == "*|" ? "|*" : begins;
    size_t end = at + 2;
    while (is_alnum(end) || is_at(end, "_") || is_at(end, ":") || is_at(end, ".")) ++end;
    const bool alone = at == 0 || text_[at - 1] != text_[at];
    return alone && end > at + 2 && is_letter(at + 2) && is_at(end, ends) ? end + ends.size() : kNoEnd;
  }

  /// "\(name)" of Swift, "\(x\)" of TeX
  size_t end_of_brackets(size_t at) const {
    int64_t depth = 1;
    const size_t last = std::min(at + kLongestName, text_.size());
    for (size_t end = at + 2; end < last && text_[end] != '\n'; ++end) {
      depth += text_[end] == '(' ? 1 : text_[end] == ')' ? -1 : 0;
      if (depth == 0) return end > at + 2 ? end + 1 : kNoEnd;
    }
    return kNoEnd;
  }

  /// "&nbsp;", "&#160;": a character of HTML that is no letter and no apostrophe, so that no word goes on behind it.
  size_t end_of_entity(size_t at) const {
    constexpr size_t kLongestEntity = 12;
    const size_t end = text_.substr(0, std::min(at + kLongestEntity, text_.size())).find_first_of("; \n", at);
    if (end == std::string_view::npos || text_[end] != ';') return kNoEnd;
    const std::string_view entity = text_.substr(at, end + 1 - at);
    const std::string character = markup::decode_entities(entity);
    constexpr std::string_view kApostrophes = "'\u2019\u02BC";
    if (character == entity || kApostrophes.find(character) != std::string_view::npos) return kNoEnd;
    return is_word_character(character_at(character, 0)) ? kNoEnd : end + 1;
  }

  /// "@:name.key": another message, in vue-i18n
  size_t end_of_link(size_t at) const {
    size_t colon = at + 1;
    if (is_at(colon, ".")) {
      while (is_letter(++colon)) continue;  // "@.lower:"
    }
    if (!is_at(colon, ":")) return kNoEnd;
    const size_t begin = colon + 1;
    if (is_at(begin, "{") || is_at(begin, "(")) {
      const size_t end = text_.substr(0, at + kLongestName).find_first_of("{}()\n", begin + 1);
      const bool closed = end < text_.size() && text_[end] == (text_[begin] == '{' ? '}' : ')');
      return closed && end > begin + 1 ? end + 1 : kNoEnd;
    }
    const auto is_key = [](UChar32 c) { return c < 0x80 && (is_word_character(c) || c == '.' || c == '-'); };
    size_t end = end_of_run(text_, begin, is_key);
    while (end > begin && (text_[end - 1] == '.' || text_[end - 1] == '-')) --end;
    return end > begin ? end : kNoEnd;
  }

  /// Behind the next of these signs.
  size_t end_between(size_t at, std::string_view sign) const {
    const size_t end = text_.substr(0, std::min(at + kLongestTag, text_.size())).find(sign, at);
    return end != std::string_view::npos && end > at ? end + sign.size() : kNoEnd;
  }

  /// "__NAME__"
  size_t end_of_underscored(size_t at) const {
    size_t end = at + 2;
    while (is_alnum(end)) {
      while (is_alnum(end)) ++end;
      if (is_at(end, "__")) return end + 2;
      if (is_at(end, "_")) ++end;
    }
    return kNoEnd;
  }

  /// "C:\\new"
  size_t end_of_path(size_t at) const {
    if (!is_letter(at) || is_word_character(character_before(text_, at))) return kNoEnd;
    const size_t end = std::min(text_.find_first_of(" \t\n\"<>|?*", at), text_.size());
    const size_t last = text_.find_last_not_of(".,;:!)'", end - 1);
    return last > at + 2 ? last + 1 : kNoEnd;
  }

  /// Behind a sign that comes next, after at least one other character and without white space between; kNoEnd: none.
  size_t end_in_word(size_t at, char sign) const {
    const std::string_view word = text_.substr(0, std::min(at + kLongestName, text_.size()));
    const size_t end = word.find_first_of(std::string{sign, ' ', '\t', '\n'}, at);
    return end != std::string_view::npos && end > at && word[end] == sign ? end + 1 : kNoEnd;
  }

  bool is_at(size_t at, std::string_view sign) const {
    return text_.substr(std::min(at, text_.size())).starts_with(sign);
  }
  bool is_digit(size_t at) const { return at < text_.size() && text_[at] >= '0' && text_[at] <= '9'; }
  bool is_letter(size_t at) const { return at < text_.size() && is_ascii_letter(text_[at]); }
  bool is_alnum(size_t at) const { return is_digit(at) || is_letter(at); }

 private:
  size_t end_of_numbered_tag(size_t digits) const {
    size_t end = std::min(text_.find_first_not_of(kDigits, digits), text_.size());
    end = std::min(text_.find_first_not_of(' ', end), text_.size());
    if (is_at(end, "/>") && text_[digits - 1] == '<') return end + 2;
    return is_at(end, ">") ? end + 1 : kNoEnd;
  }

  static bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

  /// The letters of a word that begins there, at most three; letters of CJK are no word.
  size_t letters_behind(size_t at) const {
    size_t letters = 0;
    while (letters < 3 && at < text_.size()) {
      const UChar32 c = next_character(text_, at);
      if (u_isalpha(c) == 0 || is_cjk(c)) break;
      ++letters;
    }
    return letters;
  }

  std::string_view text_;
};

class Finder {
 public:
  explicit Finder(std::string_view text)
      : text_(text),
        matcher_(text),
        braces_(formats::pairs_of_braces(text)),
        addresses_(markup::find_addresses(text)),
        codes_(text),
        has_sections_(text.find("<![CDATA[") != std::string_view::npos) {}

  std::vector<ByteRange> find() {
    while (at_ < text_.size()) {
      const size_t end = end_of_address() != kNoEnd ? end_of_address() : end_of_sign(text_[at_]);
      if (end == kNoEnd) {
        next_character(text_, at_);
      } else {
        continues_last() ? void(found_.back().end = end) : found_.push_back({begin_of_amount(), end});
        at_ = end;
      }
    }
    return std::move(found_);
  }

 private:
  bool is_after_placeholder() const { return !found_.empty() && found_.back().end == at_; }

  /// The place of the placeholder here, with the sign of a currency in front of it: "$%.2f", "€{price}".
  size_t begin_of_amount() const {
    const size_t done = found_.empty() ? 0 : found_.back().end;
    if ((text_[at_] != '%' && text_[at_] != '{') || at_ == done) return at_;
    size_t begin = at_;
    return u_charType(markup::previous_character(text_, begin)) == U_CURRENCY_SYMBOL ? begin : at_;
  }

  /// Whether the placeholder here is, with the one before it and a sign between, a part of the same date, time or
  /// path: "%H:%M", "%d.%m.%Y", "%s/%s".
  bool continues_last() const {
    if (found_.empty() || found_.back().end + 1 != at_ || text_[at_] != '%' || text_[found_.back().begin] != '%')
      return false;
    return std::string_view("-/.:").find(text_[at_ - 1]) != std::string_view::npos;
  }

  size_t end_of_address() {
    while (address_ < addresses_.size() && addresses_[address_].begin < at_) ++address_;
    return address_ < addresses_.size() && addresses_[address_].begin == at_ ? addresses_[address_].end : kNoEnd;
  }

  /// The end of what begins with this character, except for addresses.
  size_t end_of_sign(char sign) {
    const bool has_braces = matcher_.is_at(at_ + 1, "{");
    switch (sign) {
      case '{': return end_of_braces(at_, false);
      case '#': return has_braces ? end_of_braces(at_ + 1, true) : end_of_doubled("##");
      case '$': {
        if (has_braces) return end_of_braces(at_ + 1, true);
        const size_t doubled = end_of_doubled("$$");
        return doubled != kNoEnd ? doubled : matcher_.end_of_name(at_);
      }
      case '*': return end_of_doubled("*|");
      case '&': return matcher_.end_of_entity(at_);
      case '%': return has_braces ? end_of_braces(at_ + 1, true) : matcher_.end_of_percent(at_, is_after_placeholder());
      case ':': return matcher_.end_of_name(at_);
      case '\\': return matcher_.end_of_escape(at_);
      case '<': return matcher_.end_of_tag(at_);
      case '`': return end_of_backticks(text_, at_);
      case '[': return std::max({matcher_.end_of_inlined(at_), end_of_shortcode(text_, at_), end_of_code_in_pairs()});
      case ']': return has_sections_ && matcher_.is_at(at_, "]]>") ? at_ + 3 : kNoEnd;
      case '\'': return matcher_.end_of_quoted_braces(at_);
      case '@': return has_braces ? end_of_braces(at_ + 1, true) : matcher_.end_of_link(at_);
      case '_': return matcher_.is_at(at_ + 1, "_") ? matcher_.end_of_underscored(at_) : kNoEnd;
      default: return matcher_.is_at(at_ + 1, ":\\") ? matcher_.end_of_path(at_) : kNoEnd;
    }
  }

  /// "[b]", "[url=x]": the beginning of a code whose end the text has, too.
  size_t end_of_code_in_pairs() const { return codes_.end_of_start(text_, at_); }

  size_t end_of_doubled(std::string_view signs) const {
    return matcher_.is_at(at_, signs) ? matcher_.end_of_doubled_name(at_) : kNoEnd;
  }

  size_t end_of_braces(size_t at, bool any) {
    while (brace_ < braces_.size() && braces_[brace_].begin < at) ++brace_;
    if (brace_ == braces_.size() || braces_[brace_].begin != at) return kNoEnd;
    const ByteRange pair = braces_[brace_];
    const std::string_view content = text_.substr(at + 1, pair.end - at - 2);
    const bool doubled =
        brace_ + 1 < braces_.size() && braces_[brace_ + 1].begin == at + 1 && braces_[brace_ + 1].end == pair.end - 1;
    const bool several = content.starts_with('{') && !doubled;  // {{a} {b}}
    return any || (!several && is_code(content)) ? pair.end : kNoEnd;
  }

  std::string_view text_;
  Matcher matcher_;
  std::vector<ByteRange> braces_, addresses_, found_;
  BracketCodes codes_;
  bool has_sections_;
  size_t at_ = 0, brace_ = 0, address_ = 0;
};

}  // namespace

std::vector<ByteRange> builtin_placeholders(std::string_view text) { return Finder(text).find(); }

std::vector<ByteRange> number_placeholders(std::string_view text) {
  const auto is_digit = [](UChar32 c) { return u_isdigit(c) != 0; };
  std::vector<ByteRange> found;
  for (size_t at = 0; at < text.size();) {
    const size_t begin = at;
    const UChar32 before = character_before(text, at), c = next_character(text, at);
    if (before == '.' || is_word_character(before)) continue;
    const size_t digits = c == '+' || c == '-' ? at : begin;
    size_t end = end_of_run(text, digits, is_digit), last = digits;
    if (end == digits) continue;
    while (end < text.size() && std::string_view(".,:").find(text[end]) != std::string_view::npos) {
      const size_t next = end_of_run(text, end + 1, is_digit);
      if (next == end + 1) break;
      last = end;
      end = next;
    }
    if (is_word_character(character_at(text, end))) end = last;  // "1,000abc": only "1"
    if (end == digits) continue;
    found.push_back({begin, end});
    at = end;
  }
  return found;
}

}  // namespace ventris::documents
