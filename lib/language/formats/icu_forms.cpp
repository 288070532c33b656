#include "formats/icu_forms.h"

#include <algorithm>
#include <array>
#include <optional>

#include "markup/characters.h"

namespace ventris::formats {
namespace {

constexpr std::string_view kWhite = " \t\r\n";
constexpr int kDeepestForm = 20;

class FormReader {
 public:
  explicit FormReader(std::string_view message) : message_(message) {}

  /// Adds the forms of the pattern that is all of this range. False: there is none.
  bool read(ByteRange range, bool in_plural, int depth) {
    range = trimmed(range);
    if (depth > kDeepestForm || range.end - range.begin < 2 || message_[range.begin] != '{' ||
        end_of_braces(range.begin) != range.end)
      return false;
    const size_t end = range.end - 1;
    const std::optional<Header> header = header_of(range.begin, end);
    return header && read_forms(header->end, end, header->plural || in_plural, depth);
  }
  /// Whether a pattern with forms that have letters begins at this brace.
  bool begins(size_t at) const {
    const std::optional<Header> header = header_of(at, message_.size());
    const size_t form = header ? message_.find('{', header->end) : std::string_view::npos;
    return form != std::string_view::npos && markup::has_letters(message_.substr(form));
  }
  std::vector<IcuForm> take() { return std::move(forms_); }

 private:
  /// What is in front of the first selector: "n, plural,".
  struct Header {
    size_t end;
    bool plural;  // "#" is the number in its forms
  };
  /// Of the pattern that begins at this brace, if it is one with forms.
  std::optional<Header> header_of(size_t brace, size_t end) const {
    const std::optional<size_t> name = behind_comma(brace + 1, end);
    const std::optional<size_t> type = name ? behind_comma(*name, end) : std::nullopt;
    if (!type) return std::nullopt;
    const std::string_view kind = part(trimmed({*name, *type - 1}));
    const bool plural = kind == "plural" || kind == "selectordinal";
    return plural || kind == "select" ? std::optional(Header{*type, plural}) : std::nullopt;
  }

  /// Selectors and their forms: "one {# day} other {# days}".
  bool read_forms(size_t at, size_t end, bool in_plural, int depth) {
    const size_t before = forms_.size();
    for (at = behind_white(at, end); at < end; at = behind_white(at, end)) {
      const size_t open = message_.find('{', at);
      const std::string_view selector = part(trimmed({at, std::min(open, end)}));
      const size_t close = open < end ? end_of_braces(open) : std::string_view::npos;
      const bool offset = selector.starts_with("offset:");
      const bool spaces = selector.find_first_of(kWhite) != std::string_view::npos;
      if (selector.empty() || close > end || (spaces && !offset) || selector.find('}') != std::string_view::npos) {
        forms_.resize(before);
        return false;
      }
      add({open + 1, close - 1}, in_plural, depth);
      at = close;
    }
    return true;
  }
  void add(ByteRange range, bool in_plural, int depth) {
    if (read(range, in_plural, depth + 1)) return;
    IcuForm& form = forms_.emplace_back(IcuForm{trimmed(range)});
    if (!in_plural) return;
    for (size_t at = form.text.begin, braces = 0; at < form.text.end; ++at) {
      braces += message_[at] == '{' ? 1 : 0;
      braces -= message_[at] == '}' && braces > 0 ? 1 : 0;
      if (message_[at] == '#' && braces == 0) form.numbers.push_back({at - form.text.begin, at + 1 - form.text.begin});
    }
  }

  /// Behind the next comma that is not in braces.
  std::optional<size_t> behind_comma(size_t at, size_t end) const {
    const size_t comma = message_.find_first_of(",{}", at);
    return comma < end && message_[comma] == ',' ? std::optional(comma + 1) : std::nullopt;
  }
  /// Behind the brace that closes the one at this byte; npos: there is none.
  size_t end_of_braces(size_t at) const {
    size_t depth = 0;
    for (bool quoted = false; at < message_.size(); ++at) {
      const char c = message_[at];
      const bool begins = c == '\'' && at + 1 < message_.size() && std::string_view("{}#|").find(message_[at + 1]) < 4;
      if (c == '\'' && (quoted || begins)) quoted = !quoted;
      if (quoted) continue;
      depth += c == '{' ? 1 : 0;
      if (c == '}' && --depth == 0) return at + 1;
    }
    return std::string_view::npos;
  }
  size_t behind_white(size_t at, size_t end) const { return std::min(message_.find_first_not_of(kWhite, at), end); }
  ByteRange trimmed(ByteRange range) const {
    range.begin = behind_white(range.begin, range.end);
    while (range.end > range.begin && kWhite.find(message_[range.end - 1]) != std::string_view::npos) --range.end;
    return range;
  }
  std::string_view part(ByteRange range) const { return message_.substr(range.begin, range.end - range.begin); }

  std::string_view message_;
  std::vector<IcuForm> forms_;
};

}  // namespace

std::vector<IcuForm> icu_forms(std::string_view message) {
  FormReader reader(message);
  return reader.read({0, message.size()}, false, 0) ? reader.take() : std::vector<IcuForm>();
}

bool has_icu_forms(std::string_view text) {
  constexpr int kMostBraces = 20;
  const FormReader reader(text);
  size_t at = text.find('{');
  for (int i = 0; i < kMostBraces && at != std::string_view::npos; ++i, at = text.find('{', at + 1)) {
    if (reader.begins(at)) return true;
  }
  return false;
}

}  // namespace ventris::formats
