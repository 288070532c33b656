#include "markup/parser_padding.h"

#include <algorithm>

#include "markup/characters.h"

namespace ventris::markup {
namespace {

constexpr size_t kLinesBefore =
    3;   // a blank one: the last one with text may have an underline or the end of code below
constexpr size_t kMostOfSigns = 32;  // bytes in front of a text in which it can begin for the parser

std::string_view without_line_end(std::string_view line) { return line.substr(0, line.find_last_not_of('\r') + 1); }

bool is_quotation(std::string_view line) {
  const size_t first = line.find_first_not_of(' ');
  return first != std::string_view::npos && line[first] == '>';
}

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t>") == std::string_view::npos; }

/// Whether spaces at the end of a blank line mean nothing. A sign of a quotation could also be the end of a tag.
bool may_have_spaces(std::string_view line, std::string_view before) {
  return line.find('>') == std::string_view::npos || (is_quotation(line) && is_quotation(before));
}

}  // namespace

ParserPadding::ParserPadding(std::string_view document) : document_(document) {
  text_.reserve(document.size() + document.size() / 64 + kPlaces);
  divide();
}

/// Pads at each blank line such that no line up to the next one is at a wrong place.
void ParserPadding::divide() {
  struct Line {
    std::string_view text;
    size_t begin = 0;
  };
  std::array<Line, kLinesBefore> last;
  for (size_t at = 0; at < document_.size();) {
    const size_t end = std::min(document_.find('\n', at), document_.size());
    const Line line{without_line_end(document_.substr(at, end - at)), at};
    if (is_blank(line.text)) {
      for (const Line& before : last) add_line(before.text, before.begin);
      if (may_have_spaces(line.text, last.back().text)) pad(line.begin + line.text.size());
    }
    std::rotate(last.begin(), last.begin() + 1, last.end());
    last.back() = line;
    at = end + 1;
  }
  pad(document_.size());
}

/// Adds the places of a line at which the parser may look.
void ParserPadding::add_line(std::string_view line, size_t begin) {
  if (begin < begin_) return;
  places_[(begin + line.size() - begin_) % kPlaces] = true;
  if (is_blank(line)) return;  // it can be the last one of a block of HTML
  places_[(begin + line.find_last_not_of(" \t") + 1 - begin_) % kPlaces] = true;  // of HTML
  const size_t first = line.find_first_not_of(" \t");
  const size_t signs = run_of(line, first, " \t>-+*#0123456789.)[]xX");
  for (size_t at = 0; at <= std::min(signs, kMostOfSigns); ++at)
    places_[(begin + first + at - begin_) % kPlaces] = true;
}

/// Adds the document up to here to the text, with the padding in front that its lines need.
void ParserPadding::pad(size_t end) {
  const auto is_good = [&](size_t padding) {
    return !places_[(kItem + 2 * kPlaces - (text_.size() + padding) % kPlaces) % kPlaces];
  };
  size_t padding = 0;
  while (padding < kPlaces && !is_good(padding)) ++padding;
  if (padding > 0 && padding < kPlaces) {
    text_.append(padding, ' ');
    if (begin_ == 0) text_.back() = '\n';
    paddings_.push_back({text_.size(), text_.size() - begin_});
  }
  text_ += document_.substr(begin_, end - begin_);
  begin_ = end;
  places_ = {true};  // the end of a blank line
}

size_t ParserPadding::place(size_t at) const {
  const auto next = std::ranges::upper_bound(paddings_, at, {}, &Padding::behind);
  return next == paddings_.begin() ? at : at - (next - 1)->size;
}

}  // namespace ventris::markup
