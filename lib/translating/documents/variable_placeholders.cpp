#include "documents/variable_placeholders.h"

#include <algorithm>
#include <array>
#include <string>

#include "documents/sign_matcher.h"
#include "markup/html.h"
#include "markup/text_cursor.h"

namespace ventris::documents {
namespace {

using markup::character_at;
using markup::character_before;
using markup::end_of_run;
using markup::is_word_character;

class VariableMatcher : public SignMatcher {
 public:
  using SignMatcher::SignMatcher;

  /// "$name" or ":name", also "$name$", ":name:" and "$t(name)"
  size_t end_of_variable(size_t at) const {
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
    if (text()[at] == '$' && is_small(at + 1) && is_at(end, ".") && is_small(end + 1)) return end_of_parts(end);
    const bool closed =
        is_at(end, text().substr(at, 1)) && (colon || !is_word_character(character_at(text(), end + 1)));
    return closed ? end + 1 : end;  // ":name:", "$NAME$"
  }

  bool is_small(size_t at) const { return at < text().size() && text()[at] >= 'a' && text()[at] <= 'z'; }

  /// ".first.name" of Velocity, behind a variable: "$user.firstName"
  size_t end_of_parts(size_t at) const {
    while (is_at(at, ".") && is_small(at + 1)) {
      at = end_of_run(text(), at + 1, [](UChar32 c) { return c < 0x80 && is_word_character(c); });
    }
    return at;
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
    const bool alone = at == 0 || text()[at - 1] != text()[at] || begins == "*|";
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

  /// "&nbsp;", "&#160;": a character of HTML that is no letter and no apostrophe, so that no word goes on behind it;
  /// an apostrophe in front of a brace, which as a character would begin a quotation of ICU.
  size_t end_of_entity(size_t at) const {
    constexpr std::string_view kApostrophes = "'\u2019\u02BC";
    const std::string_view entity = markup::entity_at(text(), at);
    if (entity.empty()) return end_of_own_entity(at);
    const std::string character = markup::decode_entities(entity);
    const size_t end = at + entity.size();
    if (kApostrophes.find(character) != std::string_view::npos && !is_at(end, "{")) return kNoEnd;
    return is_word_character(character_at(character, 0)) ? kNoEnd : end;
  }

  /// "&a", "&#ff8800", "§c" of Minecraft
  size_t end_of_colour_code(size_t at, bool known) const {
    constexpr std::string_view kCodes = "0123456789abcdefklmnor", kDigits = "0123456789abcdefABCDEF", kSection = "§";
    constexpr size_t kDigitsOfColour = 6;
    const bool section = is_at(at, kSection);
    const size_t code = at + (section ? kSection.size() : 1), end = code + 1;
    if (is_at(code, "#") && code + kDigitsOfColour < text().size()) {
      const bool colour = text().find_first_not_of(kDigits, code + 1) >= code + 1 + kDigitsOfColour;
      return colour && !is_at(code + 1 + kDigitsOfColour, ";") ? code + 1 + kDigitsOfColour : kNoEnd;
    }
    if (code >= text().size() || !is_sign_of(text()[code], kCodes)) return kNoEnd;
    if (section) {  // "§5" alone is a paragraph of a law
      const bool text_behind = is_letter(end) || is_at(end, kSection) || is_at(end, "&") || is_at(end, "%");
      return !is_digit(code) || text_behind ? end : kNoEnd;
    }
    const bool inside = at > 0 && is_word_character(character_before(text(), at));
    const bool small = end < text().size() && text()[end] >= 'a' && text()[end] <= 'z';
    const size_t name = end_of_run(text(), code, is_word_character);
    if (is_at(name, "=") || is_at(name, ";")) return kNoEnd;
    const bool goes_on = end < text().size() && text()[end] != ' ';
    return known || (!inside && !small && goes_on) ? end : kNoEnd;
  }

  /// "&kate;", "&brandShortName;": an entity that a document declares, behind no letter
  size_t end_of_own_entity(size_t at) const {
    constexpr size_t kShortest = 3;
    const size_t end = end_of_run(text(), at + 1,
                                  [](UChar32 c) { return c < 0x80 && (is_word_character(c) || c == '.' || c == '-'); });
    const bool begins = is_letter(at + 1) && !is_word_character(character_before(text(), at));
    return begins && end - at >= kShortest && is_at(end, ";") ? end + 1 : kNoEnd;
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
    size_t last = text().find_last_not_of('-', end - 1) + 1;
    const bool domain = before == '}' && is_at(last, ".") && is_letter(last + 1);  // "{user}@example.com"
    if (last <= at + 2 || domain) return kNoEnd;
    while (is_at(last, ".") && is_letter(last + 1)) {  // "@jane.doe", "@Model.Name"
      last = end_of_run(text(), last + 1, [](UChar32 c) { return c < 0x80 && (is_word_character(c) || c == '-'); });
    }
    return !is_word_character(character_at(text(), last)) && !is_at(last, "@") ? last : kNoEnd;
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
};

}  // namespace

size_t end_of_variable_sign(std::string_view text, size_t at) { return VariableMatcher(text).end_of_variable(at); }

size_t end_of_escape(std::string_view text, size_t at) { return VariableMatcher(text).end_of_escape(at); }

size_t end_of_quoted_braces(std::string_view text, size_t at) { return VariableMatcher(text).end_of_quoted_braces(at); }

size_t end_of_inlined(std::string_view text, size_t at) { return VariableMatcher(text).end_of_inlined(at); }

size_t end_of_merge_tag(std::string_view text, size_t at) {
  const VariableMatcher matcher(text);
  return std::max(matcher.end_of_merge_tag(at), matcher.end_of_doubled_name(at));
}

size_t end_of_doubled_name(std::string_view text, size_t at) { return VariableMatcher(text).end_of_doubled_name(at); }

size_t end_of_colour_code(std::string_view text, size_t at, bool known) {
  return VariableMatcher(text).end_of_colour_code(at, known);
}

size_t end_of_at_sign(std::string_view text, size_t at) {
  const VariableMatcher matcher(text);
  return std::max({matcher.end_of_link(at), matcher.end_of_enclosed_name(at), matcher.end_of_user(at)});
}

size_t end_of_entity(std::string_view text, size_t at) { return VariableMatcher(text).end_of_entity(at); }

size_t end_of_tilde(std::string_view text, size_t at) { return VariableMatcher(text).end_of_enclosed_name(at); }

size_t end_of_exclaimed_name(std::string_view text, size_t at) {
  return VariableMatcher(text).end_of_exclaimed_name(at);
}

size_t end_of_underscored(std::string_view text, size_t at) { return VariableMatcher(text).end_of_underscored(at); }

}  // namespace ventris::documents
