#include "formats/icu_whole_forms.h"

#include <utility>

#include "formats/form_limits.h"
#include "formats/icu_pattern.h"
#include "markup/characters.h"

namespace ventris::formats {
namespace {

/// The first pattern with forms that is in no other one, and in no tag.
std::optional<IcuPattern> first_pattern(std::string_view text) {
  for (size_t at = next_unquoted(text, 0, "{"); at < text.size(); at = next_unquoted(text, at, "{")) {
    std::optional<IcuPattern> pattern = icu_pattern(text, at);
    if (pattern && !is_in_tag(text, at)) return pattern;
    at = end_of_icu_braces(text, at);
    if (at == std::string_view::npos) break;
  }
  return std::nullopt;
}

/// What "#" stands for in a text.
struct Number {
  bool replaced = false;  // by the number of the pattern whose form the text is; in forms of select, it is a sign
  std::string name = {};  // how else that number can be written: "{n, number}"; "": in no other way
};

class WordMover {
 public:
  WordMover(size_t message, bool may_quote) : most_bytes_(most_bytes_of_forms(message)), may_quote_(may_quote) {}

  /// The text with all words in forms; nothing if it cannot be written so.
  std::optional<std::string> moved(std::string_view text, const Number& number, int depth) {
    if (depth > kDeepestForms) return std::nullopt;
    const std::optional<IcuPattern> pattern = first_pattern(text);
    if (!pattern) {
      bytes_ += text.size();
      return ++forms_ <= kMostForms && bytes_ <= most_bytes_ ? std::optional(std::string(text)) : std::nullopt;
    }
    std::string_view before = text.substr(0, pattern->range.begin), after = text.substr(pattern->range.end);
    const bool words = has_icu_words(before) || has_icu_words(after);
    std::optional<std::string> front = words ? inside(before, *pattern, number) : std::string();
    std::optional<std::string> back = words ? inside(after, *pattern, number) : std::string();
    if (!front || !back) return std::nullopt;
    moved_ = moved_ || words;
    std::string result(words ? std::string_view() : before);
    size_t done = pattern->range.begin;
    for (const ByteRange& form : pattern->forms) {
      result += text.substr(done, form.begin - done);
      std::optional<std::string> whole = joined({*front, part_of(text, form), *back});
      if (whole) whole = moved(*whole, number_of(text, *pattern), depth + 1);
      if (!whole) return std::nullopt;
      result += *whole;
      done = form.end;
    }
    result += text.substr(done, pattern->range.end - done);
    if (!words) result += after;
    return result;
  }
  bool has_moved() const { return moved_; }

 private:
  static Number number_of(std::string_view text, const IcuPattern& pattern) {
    if (!pattern.plural) return {};
    return {true, pattern.offset ? "" : "{" + std::string(part_of(text, pattern.name)) + ", number}"};
  }

  /// Words around a pattern as they are written in its forms, where "#" may stand for something else.
  std::optional<std::string> inside(std::string_view words, const IcuPattern& pattern, const Number& number) const {
    const bool differs = pattern.plural || number.replaced;
    if (!differs || words.find('#') == std::string_view::npos) return std::string(words);
    const bool quotes = words.find("'#") != std::string_view::npos || words.find("#'") != std::string_view::npos;
    if (quotes) return std::nullopt;
    std::string written;
    size_t done = 0;
    for (size_t at = next_unquoted(words, 0, "{#"); at < words.size(); at = next_unquoted(words, at, "{#")) {
      if (words[at] == '{') {
        at = end_of_icu_braces(words, at);
        if (at == std::string_view::npos) return std::nullopt;
        continue;
      }
      if (number.replaced ? number.name.empty() : !may_quote_) return std::nullopt;
      written += words.substr(done, at - done);
      written += number.replaced ? number.name : "'#'";
      done = ++at;
    }
    return written.append(words.substr(done));
  }

  /// Nothing if an apostrophe would quote what follows its part, or if braces have no partner.
  static std::optional<std::string> joined(std::initializer_list<std::string_view> parts) {
    std::string all;
    for (const std::string_view part : parts) {
      const bool sign =
          !part.empty() && (part.front() == '\'' || kQuotable.find(part.front()) != std::string_view::npos);
      if (all.ends_with('\'') && sign) return std::nullopt;
      all += part;
      if (next_unquoted(all + '\0', 0, std::string_view("\0", 1)) != all.size()) return std::nullopt;
    }
    const bool balanced = end_of_icu_braces("{" + all + "}", 0) == all.size() + 2;
    return !balanced || all.ends_with('\'') ? std::nullopt : std::optional(std::move(all));
  }

  const size_t most_bytes_;
  const bool may_quote_;
  size_t forms_ = 0, bytes_ = 0;  // of the texts so far
  bool moved_ = false;
};

}  // namespace

std::optional<std::string> with_words_in_forms(std::string_view message, bool may_quote) {
  if (message.find('{') == std::string_view::npos) return std::nullopt;
  for (const std::string_view quote : {"'#", "'|"}) {  // quotes only in forms of some patterns
    if (message.find(quote) != std::string_view::npos) return std::nullopt;
  }
  WordMover mover(message.size(), may_quote);
  std::optional<std::string> whole = mover.moved(message, {}, 0);
  return mover.has_moved() ? std::move(whole) : std::nullopt;
}

std::vector<IcuForm> take_forms(std::string& message, bool may_quote) {
  std::optional<std::string> whole = with_words_in_forms(message, may_quote);
  std::vector<IcuForm> forms = icu_forms(whole ? *whole : message);
  if (whole && !forms.empty()) message = std::move(*whole);
  return forms;
}

}  // namespace ventris::formats
