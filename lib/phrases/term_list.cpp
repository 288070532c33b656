#include "phrases/term_list.h"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "core/error.h"
#include "metrics/unicode.h"
#include "text/line_reader.h"
#include "text/utf8.h"
#include "phrases/words.h"

namespace ventris::phrases {
namespace {

/// The text in Unicode's normal form C, with one space for each run of white space, and none at the ends.
std::u32string plain(std::string_view text) {
  const std::string joined = metrics::join_words(metrics::split_words(text));
  UErrorCode code = U_ZERO_ERROR;
  const icu::Normalizer2* normalizer = icu::Normalizer2::getNFCInstance(code);
  if (U_FAILURE(code)) return metrics::decode(joined);
  const icu::UnicodeString normal = normalizer->normalize(icu::UnicodeString::fromUTF8(joined), code);
  std::string utf8;
  return metrics::decode(U_FAILURE(code) ? joined : normal.toUTF8String(utf8));
}

/// The text without the difference between small and capital letters; each character stays one.
std::u32string folded(std::u32string text) {
  for (char32_t& c : text) c = static_cast<char32_t>(u_foldCase(static_cast<UChar32>(c), U_FOLD_CASE_DEFAULT));
  return text;
}

/// The end of the word at `begin`, or of the character there if it belongs to no word.
size_t end_of_word(const std::u32string& text, size_t begin) {
  size_t end = begin + 1;
  if (!is_word_character(text[begin])) return end;
  while (end < text.size() && is_word_character(text[end])) ++end;
  return end;
}

}  // namespace

struct TermList::Text {
  explicit Text(std::string_view text) : written(plain(text)), small(folded(written)) {}

  /// Whether a term stands at `begin`, where a word begins.
  bool has(const Term& term, size_t begin) const {
    const std::u32string& looked_at = term.any_case ? small : written;
    if (looked_at.compare(begin, term.source.size(), term.source) != 0) return false;
    const size_t end = begin + term.source.size();
    return end == written.size() || !is_word_character(written[end - 1]) || !is_word_character(written[end]);
  }

  std::u32string written, small;
};

TermList::TermList(const std::string& path) {
  text::LineReader reader(path);
  std::string line;
  while (reader.next(line)) {
    if (text::is_blank(line)) continue;
    const int64_t number = reader.counts().lines;
    const auto columns = text::split_columns(line, 2, path, number);
    add(columns, path, static_cast<size_t>(number));
  }
}

void TermList::add(const std::vector<std::string>& columns, const std::string& path, size_t line) {
  Term term{plain(columns[0]), std::string(metrics::strip(columns[1])), false, line};
  if (term.source.empty() || term.target.empty()) {
    fail<DataError>(path, ":", line, ": expected a term, a TAB and its translation; one of them is empty");
  }
  const std::u32string small = folded(term.source);
  term.any_case = small == term.source;
  auto& others = by_first_word_[small.substr(0, end_of_word(small, 0))];
  for (const size_t other : others) {
    if (terms_[other].source != term.source) continue;
    if (terms_[other].target == term.target) return;
    fail<DataError>(path, ":", line, ": '", text::cut_utf8(metrics::encode(term.source), 60),
                    "' has another translation on line ", terms_[other].line, "; keep one of them");
  }
  others.push_back(terms_.size());
  terms_.push_back(std::move(term));
}

std::vector<TermList::Match> TermList::matches(const Text& text) const {
  std::vector<Match> found;
  for (size_t begin = 0, end = 0; begin < text.small.size(); begin = end) {
    end = end_of_word(text.small, begin);
    const auto terms = by_first_word_.find(text.small.substr(begin, end - begin));
    if (terms == by_first_word_.end()) continue;
    for (const size_t term : terms->second) {
      if (text.has(terms_[term], begin)) found.push_back({begin, term});
    }
  }
  return found;
}

std::vector<std::string> TermList::translations(std::string_view text) const {
  std::vector<Match> found = matches(Text(text));
  const auto order = [this](const Match& match) {  // the longest first, then the one that is written so
    const Term& term = terms_[match.term];
    return std::tuple(-static_cast<int64_t>(term.source.size()), match.begin, term.any_case);
  };
  std::ranges::sort(found, {}, order);
  std::set<size_t> taken;  // characters
  std::vector<Match> chosen;
  for (const Match& match : found) {
    const size_t end = match.begin + terms_[match.term].source.size();
    const auto next = taken.lower_bound(match.begin);
    if (next != taken.end() && *next < end) continue;
    for (size_t at = match.begin; at < end; ++at) taken.insert(at);
    chosen.push_back(match);
  }
  std::ranges::sort(chosen, {}, &Match::begin);
  std::vector<std::string> targets;
  for (const Match& match : chosen) {
    const std::string& target = terms_[match.term].target;
    if (std::ranges::find(targets, target) == targets.end()) targets.push_back(target);
  }
  return targets;
}

}  // namespace ventris::phrases
