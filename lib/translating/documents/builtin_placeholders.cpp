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
#include "documents/variable_placeholders.h"
#include "formats/code_in_messages.h"
#include "markup/addresses.h"
#include "markup/html.h"
#include "markup/shortcodes.h"
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
        return doubled != kNoEnd ? doubled : end_of_variable_sign(text_, at_);
      }
      case '*': return matcher_.is_at(at_, "*|") ? end_of_merge_tag(text_, at_) : end_of_name_of_system(text_, at_);
      case '&': {
        const size_t entity = first_of(end_of_escaped_tag(text_, at_), end_of_entity(text_, at_));
        return entity != kNoEnd ? entity : end_of_colour();
      }
      case '\xC2': return matcher_.is_at(at_, "§") ? end_of_colour() : kNoEnd;
      case '%': return has_braces ? end_of_braces(at_ + 1, true) : end_of_percent(text_, at_, is_after_placeholder());
      case ':': return first_of(end_of_role(text_, at_), end_of_variable_sign(text_, at_));
      case '\\': return first_of(end_of_network_path(text_, at_), end_of_escape(text_, at_));
      case '<': return first_of(end_of_target(text_, at_), end_of_angle_bracket());
      case '`': return first_of(end_of_reference(text_, at_), end_of_backticks(text_, at_));
      case '[':
        return std::max({end_of_inlined(text_, at_), markup::end_of_shortcode(text_, at_), end_of_code_in_pairs(),
                         end_of_citation(text_, at_), links_.end_of_part(at_)});
      case '!': return first_of(links_.end_of_part(at_), end_of_exclaimed_name(text_, at_));
      case '^': return links_.end_of_part(at_);
      case '|': return end_of_substitution(text_, at_);
      case '.': return end_of_name_of_system(text_, at_);
      case '-': return end_of_option(text_, at_);
      case '>': return at_ == bracket_end_ ? at_ + 1 : pod_.end_of_code(text_, at_);
      case ']': return has_sections_ && matcher_.is_at(at_, "]]>") ? at_ + 3 : links_.end_of_part(at_);
      case '\'': return end_of_quoted_braces(text_, at_);
      case '@': return has_braces ? end_of_braces(at_ + 1, true) : end_of_at_sign(text_, at_);
      case '~': return first_of(end_of_tilde(text_, at_), end_of_name_of_system(text_, at_));
      case '_': return matcher_.is_at(at_ + 1, "_") ? end_of_underscored(text_, at_) : kNoEnd;
      default: return matcher_.is_at(at_ + 1, ":\\") ? end_of_windows_path(text_, at_) : end_of_word();
    }
  }

  static size_t first_of(size_t end, size_t other) { return end != kNoEnd ? end : other; }

  size_t end_of_colour() {
    const size_t end = end_of_colour_code(text_, at_, has_colours_);
    has_colours_ = has_colours_ || (end != kNoEnd && text_[at_] == '&');
    return end;
  }

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

  /// "[b]", "[url=x]": the beginning of a code whose end the text has, too.
  size_t end_of_code_in_pairs() const { return codes_.end_of_start(text_, at_); }

  size_t end_of_doubled(std::string_view signs) const {
    return matcher_.is_at(at_, signs) ? end_of_doubled_name(text_, at_) : kNoEnd;
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
  SignMatcher matcher_;
  std::vector<ByteRange> braces_, addresses_, found_;
  markup::BracketCodes codes_;
  LinkParts links_;
  PodCodes pod_;
  bool has_end_tags_, has_sections_, has_colours_ = false;
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
