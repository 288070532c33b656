#include "phrases/term_list.h"

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/stringpiece.h>
#include <unicode/uchar.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <queue>
#include <set>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "core/error.h"
#include "core/human.h"
#include "core/log.h"
#include "metrics/unicode.h"
#include "phrases/words.h"
#include "text/line_reader.h"
#include "text/term_marks.h"
#include "text/valid_utf8.h"

namespace ventris::phrases {
namespace {

constexpr size_t kMostForms = 100;  // of a translation
constexpr size_t kMostMarks = 256;  // that are put in order together; more than on any letter of a language

/// The text in Unicode's normal form C. ICU's time grows with the square of the number of marks on a letter, so a
/// letter with very many is divided.
std::string composed(const std::string& text) {
  UErrorCode code = U_ZERO_ERROR;
  const icu::Normalizer2* normalizer = icu::Normalizer2::getNFCInstance(code);
  std::string all;
  icu::StringByteSink<std::string> sink(&all, static_cast<int32_t>(text.size()));
  const auto add = [&](std::string_view block) {
    const icu::StringPiece piece(block.data(), static_cast<int32_t>(block.size()));
    if (U_SUCCESS(code) != 0) normalizer->normalizeUTF8(0, piece, sink, nullptr, code);
  };
  size_t begin = 0, marks = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t here = at;
    const auto character = static_cast<UChar32>(metrics::next_character(text, at));
    marks = u_getCombiningClass(character) == 0 ? 0 : marks + 1;
    if (marks < kMostMarks) continue;
    add(std::string_view(text).substr(begin, here - begin));
    begin = here;
    marks = 0;
  }
  add(std::string_view(text).substr(begin));
  return U_SUCCESS(code) != 0 ? all : text;
}

/// The text in normal form C, with one space for each run of white space, and none at the ends.
std::u32string plain(std::string_view text) {
  return metrics::decode(composed(metrics::join_words(metrics::split_words(text))));
}

/// The text without the difference between small and capital letters; each character stays one.
std::u32string folded(std::u32string text) {
  for (char32_t& c : text) c = static_cast<char32_t>(u_foldCase(static_cast<UChar32>(c), U_FOLD_CASE_DEFAULT));
  return text;
}

/// Whether every character is its own small form.
bool has_no_capitals(const std::u32string& text) {
  return std::ranges::all_of(text,
                             [](char32_t c) { return u_tolower(static_cast<UChar32>(c)) == static_cast<UChar32>(c); });
}

/// "term", with the quotation marks around all of it that a CSV file has.
bool is_quoted(std::string_view column) {
  return column.size() >= 2 && column.front() == '"' && column.back() == '"' &&
         std::ranges::count(column, '"') % 2 == 0;
}

/// The columns of a line, without the white space around them.
std::vector<std::string> columns_of(std::string_view line) {
  std::vector<std::string> columns;
  for (size_t begin = 0; begin <= line.size();) {
    const size_t end = std::min(line.find('\t', begin), line.size());
    columns.emplace_back(metrics::strip(line.substr(begin, end - begin)));
    begin = end + 1;
  }
  return columns;
}

}  // namespace

struct TermList::Text {
  explicit Text(std::u32string text) : written(std::move(text)), small(folded(written)), ends(word_ends(small)) {}

  std::u32string written, small;
  std::vector<size_t> ends;  // of the words
};

/// Places are words of the text.
struct TermList::Match {
  size_t begin;
  size_t words;
  size_t characters;
  bool any_case;
  WordSequences::Id sequence;

  size_t end() const { return begin + words; }
  /// Whether this one counts less: the longest first, then the first, then the one that is written so.
  bool operator<(const Match& other) const {
    return std::tuple(other.characters, begin, any_case) > std::tuple(characters, other.begin, other.any_case);
  }
};

TermList::TermList(const std::string& path) {
  text::LineReader reader(path, {.strict = true});
  std::string line;
  core::FirstLines quoted, inflected;
  while (reader.next(line)) {
    if (text::is_blank(line)) continue;
    const int64_t number = reader.counts().lines;
    if (line.find('\t') == std::string::npos && is_quoted(line)) {
      fail<DataError>(path, ":", number, ": expected a term, a TAB and its translation without quotation marks; found ",
                      text::cut_utf8(line, 60), ", which looks like a line of a CSV file");
    }
    const std::vector<std::string> columns = columns_of(line);
    if (columns.size() < 2) {
      fail<DataError>(path, ":", number, ": expected 2 columns separated by TABs, or more, found 1");
    }
    if (std::ranges::any_of(columns, is_quoted)) quoted.add(number);
    if (columns.size() > kMostForms + 1) {
      fail<DataError>(path, ":", number, ": a translation has more than ", kMostForms, " forms; keep the usual ones");
    }
    if (columns.size() > 2) inflected.add(number);
    add(columns, path, static_cast<size_t>(number));
  }
  if (inflected.count() > 0) {
    core::log_info(path + ": further columns are other forms of a translation, of which one is enough (" +
                   inflected.text() + ")");
  }
  if (quoted.count() > 0) {
    core::log_warning(path +
                      ": quotation marks around a term or its translation count as a part of it; remove them if "
                      "they come from a CSV file (" +
                      quoted.text() + ")");
  }
  for (Kind* kind : {&exact_, &any_case_}) kind->sequences.finish();
}

void TermList::add(const std::vector<std::string>& columns, const std::string& path, size_t line) {
  const Text source(plain(columns[0]));
  Term term{{columns.begin() + 1, columns.end()}, line};
  const auto is_empty = [](const std::string& form) { return form.empty(); };
  if (source.written.empty() || std::ranges::any_of(term.forms, is_empty)) {
    fail<DataError>(path, ":", line, ": expected a term, a TAB and its translation; one of them is empty");
  }
  const bool any_case = has_no_capitals(source.written);
  Kind& kind = any_case ? any_case_ : exact_;
  const std::u32string& looked_for = any_case ? source.small : source.written;  // as matches() does
  const auto [at, is_new] = kind.terms.try_emplace(kind.sequences.add(looked_for, source.ends), terms_.size());
  if (is_new) {
    terms_.push_back(std::move(term));
  } else if (const Term& other = terms_[at->second]; other.forms != term.forms) {
    fail<DataError>(path, ":", line, ": '", text::cut_utf8(metrics::encode(source.written), 60),
                    "' has another translation on line ", other.line, "; keep one of them");
  }
}

/// Of the terms that fit the text without overlapping, the longest; in the order of the text.
std::vector<TermList::Match> TermList::matches(const Text& text) const {
  const auto kind_of = [this](bool any_case) -> const Kind& { return any_case ? any_case_ : exact_; };
  std::priority_queue<Match> open;  // at most one of each kind for each word; shorter ones come when they are needed
  const auto offer = [&](WordSequences::Id sequence, size_t begin, bool any_case) {
    const size_t words = kind_of(any_case).sequences.words(sequence);
    if (words == 0) return;
    const size_t first = begin == 0 ? 0 : text.ends[begin - 1];
    open.push({begin, words, text.ends[begin + words - 1] - first, any_case, sequence});
  };
  for (const bool any_case : {false, true}) {
    const auto longest = kind_of(any_case).sequences.longest(any_case ? text.small : text.written, text.ends);
    for (size_t begin = 0; begin < longest.size(); ++begin) offer(longest[begin], begin, any_case);
  }
  std::map<size_t, Match> chosen;  // by begin
  for (; !open.empty(); open.pop()) {
    const Match match = open.top();
    const auto next = chosen.upper_bound(match.begin);
    if (next != chosen.begin() && std::prev(next)->second.end() > match.begin) continue;
    if (next == chosen.end() || match.end() <= next->first) {
      chosen.emplace_hint(next, match.begin, match);
      continue;
    }
    const size_t room = next->first - match.begin;
    offer(kind_of(match.any_case).sequences.shortened(match.sequence, room), match.begin, match.any_case);
  }
  std::vector<Match> all;
  for (const auto& [begin, match] : chosen) all.push_back(match);
  return all;
}

std::vector<std::vector<std::string>> TermList::translations(std::string_view text) const {
  std::vector<std::vector<std::string>> targets;
  std::set<std::vector<std::string>> known;
  for (const Match& match : matches(Text(plain(text)))) {
    const std::vector<std::string>& forms = forms_of(match);
    if (known.insert(forms).second) targets.push_back(forms);
  }
  return targets;
}

const std::vector<std::string>& TermList::forms_of(const Match& match) const {
  return terms_[(match.any_case ? any_case_ : exact_).terms.at(match.sequence)].forms;
}

SuggestedTerms TermList::suggested(const std::string& text) const {
  SuggestedTerms result{text};
  const Text divided(plain(text));
  const std::vector<Match> found = matches(divided);
  std::unordered_set<std::string_view> known;
  for (const Match& match : found) {
    const std::string& target = forms_of(match).front();
    if (known.insert(target).second) result.translations.push_back(target);
  }
  const auto has = [&text](std::string_view mark) { return text.find(mark) != std::string::npos; };
  if (found.empty() || has(text::kTermBegin) || has(text::kTermEnd)) return result;
  result.text.clear();
  std::u32string_view left = divided.written;
  for (const Match& match : found) {
    const size_t end = divided.ends[match.end() - 1] - (divided.written.size() - left.size());
    result.text += metrics::encode(std::u32string(left.substr(0, end)));
    left.remove_prefix(end);
    const size_t begin = result.text.size();
    result.text.append(text::kTermBegin).append(" ").append(forms_of(match).front()).append(text::kTermEnd);
    result.added.push_back({begin, result.text.size()});
  }
  result.text += metrics::encode(std::u32string(left));
  return result;
}

}  // namespace ventris::phrases
