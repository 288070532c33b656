#include "documents/builtin_placeholders.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>

#include "documents/code_placeholders.h"
#include "documents/link_placeholders.h"
#include "documents/name_placeholders.h"
#include "documents/option_placeholders.h"
#include "documents/percent_placeholders.h"
#include "documents/reference_placeholders.h"
#include "documents/sign_matcher.h"
#include "documents/tag_placeholders.h"
#include "documents/units.h"
#include "formats/code_in_messages.h"
#include "markup/addresses.h"
#include "markup/html.h"
#include "markup/text_cursor.h"

namespace ventris::documents {
namespace {

using markup::character_at;
using markup::character_before;
using markup::end_of_run;
using markup::is_word_character;
using markup::next_character;

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
class Matcher : public SignMatcher {
 public:
  using SignMatcher::SignMatcher;

  /// "$name" or ":name", also "$name$", ":name:" and "$t(name)"
  size_t end_of_name(size_t at) const {
    const bool colon = text()[at] == ':';
    if (at > 0 && (is_word_character(character_before(text(), at)) || text()[at - 1] == text()[at])) return kNoEnd;
    if (const size_t end = end_of_bracketed_name(at + 1); end != kNoEnd) return end;
    if (is_at(at, "$t(")) {  // of i18next: another message
      const size_t bracket = text().substr(0, at + kLongestTag).find_first_of(")\n", at);
      if (bracket < text().size() && text()[bracket] == ')') return bracket + 1;
    }
    const size_t end = end_of_run(text(), at + 1, [](UChar32 c) { return c < 0x80 && is_word_character(c); });
    if (end == at + 1 || is_digit(at + 1) || (colon && end == at + 2)) return kNoEnd;
    if (text()[at] == '$' && (is_at(end, "->") || is_at(end, "["))) return end_of_members(end);
    const bool closed =
        is_at(end, text().substr(at, 1)) && (colon || !is_word_character(character_at(text(), end + 1)));
    return closed ? end + 1 : end;  // ":name:", "$NAME$"
  }

  /// "(sync~spin)" behind "$": an icon of VS Code, or a variable of make; not the number in "prices in $(thousands)".
  size_t end_of_bracketed_name(size_t at) const {
    if (!is_at(at, "(") || !is_letter(at + 1)) return kNoEnd;
    size_t end = at + 1;
    while (is_alnum(end) || (end < text().size() && is_sign_of(text()[end], "_-.~"))) ++end;
    if (!is_at(end, ")")) return kNoEnd;
    const std::string_view name = text().substr(at + 1, end - at - 1);
    constexpr std::array<std::string_view, 12> kAmounts{"thousand", "thousands", "million",  "millions",
                                                        "billion",  "billions",  "trillion", "trillions",
                                                        "mil",      "bn",        "mn",       "k"};
    return std::ranges::find(kAmounts, name) != kAmounts.end() ? kNoEnd : end + 1;
  }

  /// "->name" and "['name']" of PHP, behind a variable
  size_t end_of_members(size_t at) const {
    for (;;) {
      const bool arrow = is_at(at, "->") && is_letter(at + 2), index = is_at(at, "[");
      const size_t begin = at + (arrow ? 2 : 1);
      const size_t end = end_of_run(text(), begin, [&](UChar32 c) {
        return c < 0x80 && (is_word_character(c) || (index && (c == '\'' || c == '"' || c == '$')));
      });
      if (!arrow && (!index || end == begin || !is_at(end, "]"))) return at;
      at = end + (index ? 1 : 0);
    }
  }

  /// "\n" as two characters, and others.
  size_t end_of_escape(size_t at) const {
    const char next = at + 1 < text().size() ? text()[at + 1] : ' ';
    if (next == '(') return end_of_brackets(at);
    if (next == '{' || next == '}') return std::max(end_of_escaped_braces(at), at + 2);
    if (std::string_view("nrt\"'\\/").find(next) != std::string_view::npos) return at + 2;
    if (std::string_view("abefv0").find(next) != std::string_view::npos)
      return letters_behind(at + 2) == 0 ? at + 2 : kNoEnd;
    const size_t digits = next == 'x' ? 2 : next == 'u' ? 4 : next == 'U' ? 8 : 0;
    const size_t end = std::min(text().find_first_not_of("0123456789abcdefABCDEF", at + 2), text().size());
    return digits > 0 && end >= at + 2 + digits ? at + 2 + digits : kNoEnd;
  }

  /// "\{name\}"
  size_t end_of_escaped_braces(size_t at) const {
    const size_t end = is_at(at, "\\{") ? end_in_word(at + 2, '}') : kNoEnd;
    return end != kNoEnd && text()[end - 2] == '\\' ? end : kNoEnd;
  }

  /// "'{name}'", "'{'": braces that are text, in a pattern of ICU
  size_t end_of_quoted_braces(size_t at) const {
    if (!is_at(at + 1, "{") && !is_at(at + 1, "}")) return kNoEnd;
    if (is_at(at + 2, "'")) return at + 3;
    const size_t end = text().substr(0, std::min(at + kLongestName, text().size())).find_first_of("'{}\n", at + 2);
    return is_at(at + 1, "{") && end < text().size() && is_at(end, "}'") ? end + 2 : kNoEnd;
  }

  /// "[[${name}]]" and "[(${name})]" of Thymeleaf, "[[name]]", "[site:name]" of Drupal
  size_t end_of_inlined(size_t at) const {
    if (is_at(at, "[") && is_letter(at + 1)) {
      const auto is_part = [](UChar32 c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == ':';
      };
      const size_t end = end_of_run(text(), at + 1, is_part);
      const std::string_view name = text().substr(at + 1, end - at - 1);
      const bool token = name.find(':') != std::string_view::npos && !name.ends_with(':');
      if (token && is_at(end, "]") && !is_at(end + 1, "(")) return end + 1;
    }
    if (is_at(at, "[[") && is_letter(at + 2)) {
      const size_t end = end_of_run(text(), at + 2, [](UChar32 c) { return is_word_character(c) || c == '.'; });
      return is_at(end, "]]") && !is_at(end + 2, "(") ? end + 2 : kNoEnd;
    }
    if (!is_at(at + 2, "${")) return kNoEnd;
    return is_at(at, "[[") ? end_between(at + 4, "]]") : is_at(at, "[(") ? end_between(at + 4, ")]") : kNoEnd;
  }

  /// "*|IF:LANG=en|*", "*|DATE:d/m/y|*": a name of Mailchimp with its arguments
  size_t end_of_merge_tag(size_t at) const {
    size_t end = at + 2;
    while (end < text().size() && text()[end] >= 'A' && text()[end] <= 'Z') ++end;
    if (end == at + 2 || !is_at(end, ":")) return kNoEnd;
    end = text().substr(0, std::min(at + kLongestName, text().size())).find_first_of("|*\n", end);
    return end < text().size() && is_at(end, "|*") ? end + 2 : kNoEnd;
  }

  /// "##name##", "###NAME###" of WordPress, "$$name$$", "*|name|*" of Mailchimp
  size_t end_of_doubled_name(size_t at) const {
    const size_t signs = is_at(at, "###") ? 3 : 2;
    const std::string_view begins = text().substr(at, signs), ends = begins == "*|" ? "|*" : begins;
    size_t end = at + signs;
    while (is_alnum(end) || is_at(end, "_") || is_at(end, ":") || is_at(end, ".")) ++end;
    const bool alone = at == 0 || text()[at - 1] != text()[at];
    return alone && end > at + signs && is_letter(at + signs) && is_at(end, ends) ? end + ends.size() : kNoEnd;
  }

  /// "\(name)" of Swift, "\(x\)" of TeX
  size_t end_of_brackets(size_t at) const {
    int64_t depth = 1;
    const size_t last = std::min(at + kLongestName, text().size());
    for (size_t end = at + 2; end < last && text()[end] != '\n'; ++end) {
      depth += text()[end] == '(' ? 1 : text()[end] == ')' ? -1 : 0;
      if (depth == 0) return end > at + 2 ? end + 1 : kNoEnd;
    }
    return kNoEnd;
  }

  /// "&nbsp;", "&#160;": a character of HTML that is no letter and no apostrophe, so that no word goes on behind it.
  size_t end_of_entity(size_t at) const {
    constexpr size_t kLongestEntity = 12;
    const size_t end = text().substr(0, std::min(at + kLongestEntity, text().size())).find_first_of("; \n", at);
    if (end == std::string_view::npos || text()[end] != ';') return kNoEnd;
    const std::string_view entity = text().substr(at, end + 1 - at);
    const std::string character = markup::decode_entities(entity);
    constexpr std::string_view kApostrophes = "'\u2019\u02BC";
    if (character == entity || kApostrophes.find(character) != std::string_view::npos) return kNoEnd;
    return is_word_character(character_at(character, 0)) ? kNoEnd : end + 1;
  }

  /// "@project.version@" of Maven, "~Contact.Name~" of Act-On
  size_t end_of_enclosed_name(size_t at) const {
    const std::string_view sign = text().substr(at, 1);
    if (!is_letter(at + 1) || is_word_character(character_before(text(), at))) return kNoEnd;
    size_t end = at + 1;
    while (is_alnum(end) || (end < text().size() && is_sign_of(text()[end], "_-."))) ++end;
    const bool dotted = text().substr(at, end - at).find('.') != std::string_view::npos;
    const bool closed = is_at(end, sign) && (sign == "@" || dotted) && text()[end - 1] != '.';
    return closed && !is_word_character(character_at(text(), end + 1)) ? end + 1 : kNoEnd;
  }

  /// "!name" of Drupal
  size_t end_of_exclaimed_name(size_t at) const {
    constexpr size_t kShortest = 3;
    const bool begins = at == 0 || is_sign_of(text()[at - 1], " (\"'\n");
    if (!begins || at + 1 >= text().size() || text()[at + 1] < 'a' || text()[at + 1] > 'z') return kNoEnd;
    const auto is_part = [](UChar32 c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    };
    const size_t end = end_of_run(text(), at + 1, is_part);
    return end > at + kShortest && !is_word_character(character_at(text(), end)) && !is_at(end, "!") ? end : kNoEnd;
  }

  /// "@name" of Drupal, or the name of a user
  size_t end_of_user(size_t at) const {
    const UChar32 before = character_before(text(), at);
    if (!is_letter(at + 1) || is_word_character(before) || before == '@' || before == '/' || before == '.')
      return kNoEnd;
    const size_t end =
        end_of_run(text(), at + 1, [](UChar32 c) { return c < 0x80 && (is_word_character(c) || c == '-'); });
    const size_t last = text().find_last_not_of('-', end - 1) + 1;
    return last > at + 2 && !is_word_character(character_at(text(), last)) && !is_at(last, "@") ? last : kNoEnd;
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
      const size_t end = text().substr(0, at + kLongestName).find_first_of("{}()\n", begin + 1);
      const bool closed = end < text().size() && text()[end] == (text()[begin] == '{' ? '}' : ')');
      return closed && end > begin + 1 ? end + 1 : kNoEnd;
    }
    const auto is_key = [](UChar32 c) { return c < 0x80 && (is_word_character(c) || c == '.' || c == '-'); };
    size_t end = end_of_run(text(), begin, is_key);
    while (end > begin && (text()[end - 1] == '.' || text()[end - 1] == '-')) --end;
    return end > begin ? end : kNoEnd;
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

  /// Whether this, which begins with a space, can be the rest of a folder's name: " Files", " Files (x86)".
  static bool is_end_of_folder(std::string_view words) {
    for (size_t space = words.find(' '); space != std::string_view::npos; space = words.find(' ', space + 1)) {
      const char first = space + 1 < words.size() ? words[space + 1] : ' ';
      if ((first < 'A' || first > 'Z') && (first < '0' || first > '9') && first != '(') return false;
    }
    return true;
  }

  size_t end_of_part_of_path(size_t at) const {
    return std::min(text().find_first_of(" \t\n\"<>|?*", at), text().size());
  }

  /// "C:\\new", "C:\\Program Files\\a"
  size_t end_of_path(size_t at) const {
    if (!is_letter(at) || is_word_character(character_before(text(), at))) return kNoEnd;
    size_t end = end_of_part_of_path(at);
    while (is_at(end, " ")) {
      const size_t part =
          text().substr(0, std::min(end + kLongestName, text().size())).find_first_of("\\/:,;\t\n\"<>|?*", end);
      if (part >= text().size() || text()[part] != '\\' || !is_end_of_folder(text().substr(end, part - end))) break;
      end = end_of_part_of_path(part);
    }
    const size_t last = text().find_last_not_of(".,;:!)'", end - 1);
    return last > at + 2 ? last + 1 : kNoEnd;
  }
};

class Finder {
 public:
  explicit Finder(std::string_view text)
      : text_(text),
        matcher_(text),
        braces_(formats::pairs_of_braces(text)),
        addresses_(markup::find_addresses(text)),
        codes_(text),
        links_(text),
        pod_(text),
        has_end_tags_(text.find("</") != std::string_view::npos),
        has_sections_(text.find("<![CDATA[") != std::string_view::npos) {}

  std::vector<ByteRange> find() {
    while (at_ < text_.size()) {
      const size_t end = end_of_address() != kNoEnd ? end_of_address() : end_of_sign(text_[at_]);
      if (end == kNoEnd) {
        next_character(text_, at_);
      } else {
        const size_t last = end + size_behind(end);
        continues_last() ? void(found_.back().end = last) : found_.push_back({begin_of_amount(), last});
        at_ = last;
      }
    }
    return std::move(found_);
  }

 private:
  bool is_after_placeholder() const { return !found_.empty() && found_.back().end == at_; }

  /// Whether here is the sign "@" as vue-i18n writes it; the address around it belongs to it: "me{'@'}example.org".
  bool is_quoted_at() const { return matcher_.is_at(at_, "{'@'}"); }

  bool is_of_mail_address(size_t at) const {
    return matcher_.is_alnum(at) || (at < text_.size() && is_sign_of(text_[at], "._%+-"));
  }

  /// The place of the placeholder here, with the sign of a currency in front of it: "$%.2f", "€{price}". In front of
  /// the target of a link is a space.
  size_t begin_of_amount() const {
    const size_t done = found_.empty() ? 0 : found_.back().end;
    if (is_quoted_at()) {
      size_t begin = at_;
      while (begin > done && is_of_mail_address(begin - 1)) --begin;
      return begin;
    }
    if (text_[at_] == '<' && at_ > done && end_of_target(text_, at_) != kNoEnd) return at_ - 1;
    if ((text_[at_] != '%' && text_[at_] != '{') || at_ == done) return at_;
    size_t begin = at_;
    return u_charType(markup::previous_character(text_, begin)) == U_CURRENCY_SYMBOL ? begin : at_;
  }

  /// The size of what touches the end of the placeholder here and belongs to it.
  size_t size_behind(size_t end) const {
    if (is_quoted_at()) {
      size_t last = end;
      while (is_of_mail_address(last)) ++last;
      while (last > end && text_[last - 1] == '.') --last;
      return last - end;
    }
    const bool windows = text_[at_] == '%' && text_.substr(end - 1).starts_with("%\\");
    const bool name = text_[end - 1] == '}' || text_[at_] == '$' || windows;
    const size_t path = name ? path_behind(text_, {at_, end}) : 0;
    return path > 0 ? path : unit_behind(end);
  }

  /// The size of a unit that touches the end of the placeholder here: "{size}GB", "%dpx".
  size_t unit_behind(size_t end) const {
    const char sign = text_[at_];
    if ((sign != '{' && sign != '%' && sign != '$' && sign != '#') || end >= text_.size()) return 0;
    const bool degree = text_.substr(end).starts_with("°");
    const size_t letters = end_of_run(text_, end + (degree ? 2 : 0), [](UChar32 c) { return is_word_character(c); });
    const std::string_view unit = text_.substr(end, letters - end);
    return is_unit_symbol(unit) ? unit.size() : 0;
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
      case '{': {
        constexpr size_t kSizeOfSign = 5;  // {'|'} of vue-i18n
        if (matcher_.is_at(at_ + 1, "'") && matcher_.is_at(at_ + 3, "'}")) return at_ + kSizeOfSign;
        return first_of(end_of_angular_code(text_, at_), end_of_braces(at_, false));
      }
      case '#': return has_braces ? end_of_braces(at_ + 1, true) : end_of_number_sign();
      case '$': {
        if (has_braces) return end_of_braces(at_ + 1, true);
        const size_t doubled = end_of_doubled("$$");
        return doubled != kNoEnd ? doubled : matcher_.end_of_name(at_);
      }
      case '*': return matcher_.is_at(at_, "*|") ? end_of_merge_tag() : kNoEnd;
      case '&': return first_of(end_of_escaped_tag(text_, at_), matcher_.end_of_entity(at_));
      case '%': return has_braces ? end_of_braces(at_ + 1, true) : end_of_percent(text_, at_, is_after_placeholder());
      case ':': return first_of(end_of_role(text_, at_), matcher_.end_of_name(at_));
      case '\\': return matcher_.end_of_escape(at_);
      case '<': return first_of(end_of_target(text_, at_), end_of_angle_bracket());
      case '`': return first_of(end_of_reference(text_, at_), end_of_backticks(text_, at_));
      case '[':
        return std::max({matcher_.end_of_inlined(at_), end_of_shortcode(text_, at_), end_of_code_in_pairs(),
                         end_of_citation(text_, at_), links_.end_of_part(at_)});
      case '!': return first_of(links_.end_of_part(at_), matcher_.end_of_exclaimed_name(at_));
      case '^': return links_.end_of_part(at_);
      case '|': return end_of_substitution(text_, at_);
      case '-': return end_of_option(text_, at_);
      case '>': return at_ == bracket_end_ ? at_ + 1 : pod_.end_of_code(text_, at_);
      case ']': return has_sections_ && matcher_.is_at(at_, "]]>") ? at_ + 3 : links_.end_of_part(at_);
      case '\'': return matcher_.end_of_quoted_braces(at_);
      case '@': return has_braces ? end_of_braces(at_ + 1, true) : end_of_at();
      case '~': return first_of(matcher_.end_of_enclosed_name(at_), end_of_name_of_system(text_, at_));
      case '_': return matcher_.is_at(at_ + 1, "_") ? matcher_.end_of_underscored(at_) : kNoEnd;
      default: return matcher_.is_at(at_ + 1, ":\\") ? matcher_.end_of_path(at_) : end_of_word();
    }
  }

  static size_t first_of(size_t end, size_t other) { return end != kNoEnd ? end : other; }

  size_t end_of_word() const {
    const bool capital = text_[at_] >= 'A' && text_[at_] <= 'Z';
    const size_t code = capital ? first_of(pod_.end_of_code(text_, at_), end_of_variable(text_, at_)) : kNoEnd;
    const size_t name = first_of(code, end_of_name_of_system(text_, at_));
    return name == kNoEnd && markup::is_letter(text_[at_]) ? end_of_named_reference(text_, at_) : name;
  }

  /// Of a tag; of words in brackets, only the bracket. In a text with end tags, they may be a start tag.
  size_t end_of_angle_bracket() {
    bracket_end_ = has_end_tags_ ? kNoEnd : end_of_bracketed_words(text_, at_);
    return bracket_end_ != kNoEnd ? at_ + 1 : end_of_tag(text_, at_);
  }

  size_t end_of_number_sign() const {
    return matcher_.is_at(at_, "##") ? end_of_doubled("##") : end_of_name_of_system(text_, at_);
  }
  size_t end_of_at() const {
    return std::max({matcher_.end_of_link(at_), matcher_.end_of_enclosed_name(at_), matcher_.end_of_user(at_)});
  }

  /// "[b]", "[url=x]": the beginning of a code whose end the text has, too.
  size_t end_of_code_in_pairs() const { return codes_.end_of_start(text_, at_); }

  size_t end_of_doubled(std::string_view signs) const {
    return matcher_.is_at(at_, signs) ? matcher_.end_of_doubled_name(at_) : kNoEnd;
  }

  size_t end_of_merge_tag() const { return first_of(matcher_.end_of_merge_tag(at_), end_of_doubled("*|")); }

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
  LinkParts links_;
  PodCodes pod_;
  bool has_end_tags_, has_sections_;
  size_t at_ = 0, brace_ = 0, address_ = 0;
  size_t bracket_end_ = kNoEnd;  // the ">" of the words in brackets that began last
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
