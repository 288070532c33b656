#include "markup/jsx_tags.h"

#include <algorithm>

#include "markup/characters.h"

namespace ventris::markup {
namespace {

using text::ByteRange;

constexpr size_t kNoBrace = std::string_view::npos, kLongestJsx = 10'000, kLooksAtByte = 16;
constexpr std::string_view kSpacesInTag = " \t\r\n";

bool is_in_name_of_jsx(char c) { return is_name_byte(c) || c == '.' || c == ':' || c == '@' || c == '$'; }

/// The place of the quotation mark that ends the string which begins here; `at` if none does: an apostrophe.
size_t end_of_string(std::string_view text, size_t at, size_t most) {
  for (size_t end = at + 1; end < most; ++end) {
    if (text[end] == '\\') {
      ++end;
    } else if (text[end] == text[at]) {
      return end;
    } else if (text[end] == '\n' && text[at] != '`') {
      break;
    }
  }
  return at;
}

/// Reads the tags of a document.
class TagReader {
 public:
  explicit TagReader(std::string_view document)
      : document_(document), effort_(kLooksAtByte * document.size() + kLongestJsx) {}

  std::vector<ByteRange> read() {
    size_t from = 0;
    for (size_t at = document_.find('<'); at != kNoBrace && effort_ > 0; at = document_.find('<', from)) {
      const size_t before = found_.size(), end = end_of_tag(at);
      if (end == kNoBrace) found_.resize(before);
      from = end != kNoBrace ? end : std::max(at + 1, unclosed_until_);
    }
    return std::move(found_);
  }

 private:
  char character(size_t at) const { return at < document_.size() ? document_[at] : '\n'; }

  size_t end_of_tag(size_t begin) {
    size_t at = begin + (character(begin + 1) == '/' ? 2 : 1);
    if (!is_letter(character(at))) return kNoBrace;
    const size_t name = at;
    for (; is_in_name_of_jsx(character(at)); ++at) {
      if (character(at) == '.') found_.push_back({at, at + 1});
    }
    in_template_ = document_.substr(name, at - name) == "template";
    bool attributes = false;
    while (at < document_.size() && at < begin + kLongestJsx) {
      const size_t spaces = run_of(document_, at, kSpacesInTag);
      at += spaces;
      const size_t sign = at + (character(at) == '/' ? 1 : 0);
      if (character(sign) == '>') {
        const size_t line_end = attributes ? document_.substr(0, at).find('\n', at - spaces) : kNoBrace;
        if (line_end != kNoBrace && sign == at) found_.push_back({line_end, at});
        return sign + 1;
      }
      at = spaces > 0 ? end_of_attribute(at) : kNoBrace;
      if (at == kNoBrace) return kNoBrace;
      attributes = true;
    }
    return kNoBrace;
  }
  size_t end_of_attribute(size_t at) {
    if (character(at) == '{') return end_of_braces(at);
    const size_t name = at;
    const bool slot = character(at) == '#';  // of Vue: <template #footer>
    if (slot) ++at;
    while (is_in_name_of_jsx(character(at))) ++at;
    if (at == name) return kNoBrace;
    const bool value = character(at) == '=';
    if (slot ? value || in_template_ : value && character(name) == '@') found_.push_back({name, name + 1});
    if (!value) return at;
    const char sign = character(++at);
    if (sign == '{') return end_of_braces(at);
    if (sign != '"' && sign != '\'') return kNoBrace;
    const size_t end = document_.substr(0, std::min(document_.size(), at + kLongestJsx)).find(sign, at + 1);
    if (end == kNoBrace) skip_unclosed(at);
    return end == kNoBrace ? kNoBrace : end + 1;
  }
  size_t end_of_braces(size_t at) {
    size_t end = end_of_balanced_braces(document_, at, kLongestJsx);
    const bool fence = end != kNoBrace && document_.substr(at, end - at).find("\n```") != std::string_view::npos;
    if (fence) end = kNoBrace;  // it begins in a block of code, which ends here
    end == kNoBrace ? skip_unclosed(at) : found_.push_back({at, end});
    return end;
  }
  /// What begins here has no end that is near.
  void skip_unclosed(size_t at) {
    unclosed_until_ = at + std::min(document_.substr(at, kLongestJsx).find("\n\n"), kLongestJsx);
    effort_ -= std::min(effort_, std::min(kLongestJsx, document_.size() - at));
  }

  std::string_view document_;
  std::vector<ByteRange> found_;
  size_t effort_;              // bytes that it may still look at in vain
  bool in_template_ = false;   // the tag that it reads is one of <template>
  size_t unclosed_until_ = 0;  // no tag is looked for before, because something in one had no end
};

}  // namespace

size_t end_of_balanced_braces(std::string_view text, size_t at, size_t most) {
  most = std::min(text.size(), at + most);
  int64_t depth = 0;
  for (; at < most; ++at) {
    const char c = text[at];
    if (c == '"' || c == '\'' || c == '`') at = end_of_string(text, at, most);
    if (c == '{') ++depth;
    if (c == '}' && --depth == 0) return at + 1;
  }
  return kNoBrace;
}

std::vector<ByteRange> jsx_in_tags(std::string_view document) { return TagReader(document).read(); }

std::string with_plain_tags(std::string document, const std::vector<ByteRange>& jsx) {
  for (const ByteRange& range : jsx) {
    const char first = document[range.begin], letter = first == '\n' ? ' ' : first == '@' || first == '#' ? ':' : 'x';
    std::fill_n(document.begin() + static_cast<int64_t>(range.begin), range.end - range.begin, letter);
  }
  return document;
}

}  // namespace ventris::markup
