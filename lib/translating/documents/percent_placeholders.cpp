#include "documents/percent_placeholders.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>

#include "documents/printf_conversion.h"
#include "documents/sign_matcher.h"
#include "documents/units.h"
#include "markup/addresses.h"
#include "markup/text_cursor.h"

namespace ventris::documents {
namespace {

using markup::character_at;
using markup::end_of_run;
using markup::is_word_character;

class PercentMatcher : public SignMatcher {
 public:
  using SignMatcher::SignMatcher;

  /// What begins with the "%" at this byte.
  size_t end_of_percent(size_t at, bool after_placeholder) const {
    if (is_at(at + 1, "%")) return std::max({end_of_name_in(at, "%%"), end_of_script(at), at + 2});
    if (is_at(at + 1, "arg") && !is_word_character(character_at(text(), at + 4))) return at + 4;  // of Apple
    const size_t name = std::max(end_of_name_in(at, "%"), end_of_number(at, after_placeholder));
    if (name != kNoEnd) return name;
    if (const size_t plural = end_of_plural(at); plural != kNoEnd) return plural;
    if (const size_t large = end_of_capitals(at); large != kNoEnd) return large;
    if (is_at(at + 1, "|")) return end_of_bars(at);
    constexpr std::string_view kOpening = "(<[", kClosing = ")>]";
    const size_t kind = at + 1 < text().size() ? kOpening.find(text()[at + 1]) : std::string_view::npos;
    const size_t end = kind != std::string_view::npos ? end_in_word(at + 2, kClosing[kind]) : kNoEnd;
    const bool after_number = !after_placeholder && is_after_number(at);
    if (after_number && (kind == 0 || kind == 1)) return kNoEnd;  // "30%(a)"
    if (end != kNoEnd && (kind != 2 || !is_digit(at + 2))) return PrintfConversion(text(), end).end_without_space();
    if (kind == 0 && !PrintfConversion::has_flag_of_java(text(), at + 1)) return end_of_words(at);
    return end_of_conversion(at, after_placeholder);
  }

 private:
  /// "%%=Lowercase(Name)=%%" and "%%[ set @a = 1 ]%%" of AMPscript, also over several lines
  size_t end_of_script(size_t at) const {
    constexpr size_t kLongestScript = 10'000;
    const bool value = is_at(at + 2, "=");
    if (!value && !is_at(at + 2, "[")) return kNoEnd;
    const size_t end = text().substr(at, kLongestScript).find(value ? "=%%" : "]%%", 3);
    return end == std::string_view::npos ? kNoEnd : at + end + 3;
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
    const size_t close = text().substr(0, std::min(at + kLongestName, text().size())).find_first_of(")(\n", at + 2);
    if (close >= text().size() || text()[close] != ')') return kNoEnd;
    const size_t end = PrintfConversion(text(), close + 1).end_without_space();
    return end != kNoEnd && letters_behind(end) == 0 ? end : kNoEnd;
  }
  /// "%|1$s|" of Boost
  size_t end_of_bars(size_t at) const {
    if (at > 0 && is_digit(at - 1)) return kNoEnd;
    const size_t end =
        std::min(text().find_first_not_of("0123456789$-+=_#'.*hlLdiouxXeEfFgGsScCpt", at + 2), text().size());
    return end > at + 2 && is_at(end, "|") ? end + 1 : kNoEnd;
  }

  /// "5%", "5 %", also with a space that does not break.
  bool is_after_number(size_t at) const {
    const std::string_view before = text().substr(0, at);
    for (const std::string_view space : {"", " ", "\u00A0", "\u202F"}) {
      if (before.ends_with(space) && before.size() > space.size() && is_digit(at - space.size() - 1)) return true;
    }
    return false;
  }

  size_t end_of_conversion(size_t at, bool after_placeholder) const {
    const PrintfConversion conversion(text(), at + 1);
    const bool behind_digit = !after_placeholder && at > 0 && is_digit(at - 1);
    const bool after_number = !after_placeholder && is_after_number(at);
    if (conversion.end() == kNoEnd) return after_number ? kNoEnd : end_of_date_field(at);
    if (after_number && conversion.has_space()) return kNoEnd;
    const bool apart_word = begins_another_word(conversion.end());
    if (const size_t name = end_of_whole_name(at); !after_number && !apart_word && name != kNoEnd) return name;
    const size_t letters = letters_behind(conversion.end());
    const char sign = text()[conversion.end() - 1];
    const bool usual = std::string_view("sdiuoxXc@").find(sign) != std::string_view::npos;
    if (behind_digit && !conversion.has_position()) {  // "(0%o)", not "50%ige"
      return usual && letters == 0 && !conversion.has_space() ? conversion.end() : kNoEnd;
    }
    if (text().substr(at, 2) == "%n" && u_isupper(character_at(text(), at + 2)) != 0)
      return at + 2;  // a line end of Java
    const bool apart = usual && !after_number && apart_word;
    const bool whole = letters == 0 || conversion.has_digits() || apart ||
                       (letters <= 2 && !conversion.has_space() && !after_number);  // %ds, %dMB, not %discount
    return whole ? conversion.end() : kNoEnd;
  }

  /// "%name" of Drupal: small letters between spaces or signs, which begin with a conversion by chance. A unit behind
  /// a conversion can be taken for one, too ("%dmin").
  size_t end_of_whole_name(size_t at) const {
    constexpr size_t kShortest = 4;
    if (at > 0 && text()[at - 1] != ' ' && text()[at - 1] != '(' && text()[at - 1] != '"') return kNoEnd;
    const size_t end = end_of_run(text(), at + 1, [](UChar32 c) { return (c >= 'a' && c <= 'z') || c == '_'; });
    const bool whole = end - at >= kShortest + 1 && !is_word_character(character_at(text(), end)) && !is_at(end, "%");
    return whole ? end : kNoEnd;
  }

  /// "%PRODUCTNAME" of LibreOffice, behind no number and in front of no small letter.
  size_t end_of_capitals(size_t at) const {
    constexpr size_t kShortest = 5;
    const size_t end = end_of_run(text(), at + 1, [](UChar32 c) { return (c >= 'A' && c <= 'Z') || c == '_'; });
    const bool name = end - at > kShortest && !is_word_character(character_at(text(), end)) && !is_at(end, "%");
    return name && !is_after_number(at) ? end : kNoEnd;
  }

  /// Whether the conversion that ends here stands around words with the next one: "%sclick here%s".
  bool encloses_words(size_t at) const {
    constexpr std::string_view kConversion = "%s";
    if (!text().substr(0, at).ends_with(kConversion)) return false;
    const size_t next = text().find(kConversion, at);
    if (next == std::string_view::npos) return false;
    return text()[next - 1] != ' ' && !is_word_character(character_at(text(), next + kConversion.size()));
  }

  /// Whether what touches a conversion is no part of the same word: "%sThe", "%@the", "%dmin".
  bool begins_another_word(size_t at) const {
    if (encloses_words(at) || text()[at - 1] == '@' || u_isupper(character_at(text(), at)) != 0) return true;
    const size_t end = end_of_run(text(), at, [](UChar32 c) { return is_word_character(c); });
    const std::string_view unit = text().substr(at, end - at);
    return is_unit_word(unit) || (unit.size() > 2 && is_unit_symbol(unit));
  }

  /// "%Y", "%-H", "%^B": a field of strftime() that is no conversion of printf.
  size_t end_of_date_field(size_t at) const {
    constexpr std::string_view kFlags = "-_^#0:EO", kFields = "BDHIJLMNPRVWYZDhjklwyz";
    const size_t field = std::min(text().find_first_not_of(kFlags, at + 1), text().size());
    const bool known =
        field <= at + 2 && field < text().size() && kFields.find(text()[field]) != std::string_view::npos;
    return known && letters_behind(field + 1) <= 2 ? field + 1 : kNoEnd;
  }

  /// "%name%" or "%%name%%". No conversion is a name: "%d%s", "%lu%%".
  size_t end_of_name_in(size_t at, std::string_view signs) const {
    constexpr size_t kLeastBeforeUnit = 4;  // letters of "%time%s"; "%dx%d" is two conversions
    const size_t begin = at + signs.size();
    if (!is_letter(begin) || (at > 0 && is_digit(at - 1))) return kNoEnd;
    const size_t end =
        end_of_run(text(), begin, [](UChar32 c) { return c < 0x80 && (is_word_character(c) || c == '.'); });
    const size_t last = end + signs.size();
    const size_t least = signs.size() > 1 ? 1 : 2;
    const bool two = is_at(begin, "s") || is_at(begin, "d");  // "%shere%s" has two conversions
    const bool may_have_unit = end >= begin + kLeastBeforeUnit && is_at(end, signs) &&
                               (!two || is_unit_word(text().substr(begin, end - begin)));
    const size_t unit = may_have_unit ? size_of_unit(last) : 0;
    const size_t behind = last + unit;
    if (end < begin + least || !is_at(end, signs) || is_alnum(behind) || is_at(last, "%")) return kNoEnd;
    return PrintfConversion(text(), begin).end() == end ? kNoEnd : behind;
  }

  /// Of the unit, or the ending of a plural, that stands there alone; 0: there is none.
  size_t size_of_unit(size_t at) const {
    size_t end = at;
    while (is_letter(end)) ++end;
    const std::string_view unit = text().substr(std::min(at, text().size()), end - at);
    return is_unit_symbol(unit) || unit == "k" ? unit.size() : 0;
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
    const bool goes_on =
        is_alnum(end) ||
        (end < text().size() && std::string_view("$.*%[ -+#':").find(text()[end]) != std::string_view::npos &&
         PrintfConversion(text(), at + 1).end() != kNoEnd);
    return goes_on ? kNoEnd : end;
  }
};

}  // namespace

size_t end_of_percent(std::string_view text, size_t at, bool after_placeholder) {
  return PercentMatcher(text).end_of_percent(at, after_placeholder);
}

}  // namespace ventris::documents
