#include "markup/paragraph.h"

#include <algorithm>
#include <iterator>

namespace ventris::markup {
namespace {

/// Of the backticks from `begin` on, those that may begin a span of code: all but an escaped one.
ByteRange opening_backticks(std::string_view text, ByteRange run) {
  size_t backslashes = 0;
  while (run.begin > backslashes && text[run.begin - backslashes - 1] == '\\') ++backslashes;
  return backslashes % 2 == 0 ? run : ByteRange{run.begin + 1, run.end};
}

}  // namespace

Paragraph::Paragraph(std::string_view text) : text_(text) { find_code(); }

/// Finds the spans of code, and the backticks that are left over. More than two of these may begin a block of code.
void Paragraph::find_code() {
  constexpr size_t kMostInText = 2;
  std::vector<ByteRange> runs;
  std::map<size_t, std::vector<size_t>> places;  // the numbers of the runs of each size
  for (size_t at = text_.find('`'); at != std::string_view::npos; at = text_.find('`', at)) {
    const size_t size = run_of(text_, at, "`");
    places[size].push_back(runs.size());
    runs.push_back({at, at + size});
    at += size;
  }
  for (size_t i = 0; i < runs.size(); ++i) {
    const ByteRange run = opening_backticks(text_, runs[i]);
    const size_t size = run.end - run.begin;
    if (size == 0) continue;
    const std::vector<size_t>& same = places[size];
    const auto next = std::ranges::upper_bound(same, i);
    if (next != same.end()) {
      code_.push_back({run.begin, runs[*next].end});
      i = *next;
    } else {
      (size <= kMostInText ? left_over_ : code_).push_back(run);
    }
  }
}

bool Paragraph::word_before(size_t at) const {
  return at > 0 && (is_letter(text_[at - 1]) || (text_[at - 1] >= '0' && text_[at - 1] <= '9'));
}

size_t Paragraph::next_of(const std::string& sign, size_t at) {
  Found& last = next_.try_emplace(sign, Found{text_.size() + 1, 0}).first->second;
  if (at < last.from || at > last.place) last = {at, std::min(text_.find(sign, at), text_.size())};
  return last.place;
}

size_t Paragraph::end_of_code(size_t at) const {
  const auto code = std::ranges::lower_bound(code_, at, {}, &ByteRange::begin);
  return code != code_.end() && code->begin == at ? code->end : kNoEnd;
}

bool Paragraph::has_code(size_t begin, size_t end) const {
  const auto next = std::ranges::upper_bound(code_, begin, {}, &ByteRange::end);
  return next != code_.end() && next->begin < end;
}

bool Paragraph::cuts_code(size_t begin, size_t end) const {
  const auto first = std::ranges::upper_bound(code_, begin, {}, &ByteRange::end);
  if (first != code_.end() && first->begin < begin) return true;
  const auto last = std::ranges::lower_bound(code_, end, {}, &ByteRange::begin);
  return last != code_.begin() && std::prev(last)->end > end;
}

}  // namespace ventris::markup
