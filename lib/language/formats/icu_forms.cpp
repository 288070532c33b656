#include "formats/icu_forms.h"

#include <algorithm>
#include <utility>

#include "formats/icu_pattern.h"
#include "markup/characters.h"

namespace ventris::formats {
namespace {

constexpr int kDeepestForm = 20;

class FormReader {
 public:
  explicit FormReader(std::string_view message) : message_(message) {}

  /// Adds the forms of the pattern that has all words of this range. False: there is none.
  bool read(ByteRange range, bool in_plural, int depth) {
    const size_t brace = next_unquoted(message_.substr(0, range.end), range.begin, "{");
    if (depth > kDeepestForm || brace == range.end || has_icu_words(part_of(message_, {range.begin, brace})))
      return false;
    const std::optional<IcuPattern> pattern = icu_pattern(message_, brace);
    if (!pattern || pattern->range.end > range.end) return false;
    if (has_icu_words(part_of(message_, {pattern->range.end, range.end}))) return false;
    for (const ByteRange& form : pattern->forms) add(form, pattern->plural || in_plural, depth);
    return true;
  }
  std::vector<IcuForm> take() { return std::move(forms_); }

 private:
  void add(ByteRange range, bool in_plural, int depth) {
    if (read(range, in_plural, depth + 1)) return;
    IcuForm& form = forms_.emplace_back(IcuForm{without_white_ends(message_, range)});
    const std::string_view text = part_of(message_, form.text);
    for (size_t at = 0, braces = 0; at < text.size();) {
      braces += text[at] == '{' ? 1 : 0;
      braces -= text[at] == '}' && braces > 0 ? 1 : 0;
      const bool number = in_plural && text[at] == '#';
      const bool quotes = text[at] == '\'' && (in_plural || !text.substr(at).starts_with("'#"));
      const size_t end = number ? at + 1 : quotes ? end_of_quoted(text, at) : at;
      if (end > at && braces == 0) form.kept.push_back({at, end});
      at = std::max(end, at + 1);
    }
  }

  std::string_view message_;
  std::vector<IcuForm> forms_;
};

/// Whether a pattern with forms that have letters begins at this brace.
bool begins(std::string_view text, size_t brace) {
  const std::optional<IcuHeader> header = icu_header(text, brace);
  const char first = header && header->kind == IcuHeader::Kind::kChoice ? '#' : '{';
  const size_t form = header ? text.find(first, header->end) : std::string_view::npos;
  return form != std::string_view::npos && markup::has_letters(text.substr(form));
}

}  // namespace

std::vector<IcuForm> icu_forms(std::string_view message) {
  FormReader reader(message);
  return reader.read({0, message.size()}, false, 0) ? reader.take() : std::vector<IcuForm>();
}

bool has_icu_forms(std::string_view text) {
  constexpr int kMostBraces = 20;
  size_t at = text.find('{');
  for (int i = 0; i < kMostBraces && at != std::string_view::npos; ++i, at = text.find('{', at + 1)) {
    if (begins(text, at)) return true;
  }
  return false;
}

}  // namespace ventris::formats
