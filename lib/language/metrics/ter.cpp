#include "metrics/ter.h"

#include <algorithm>
#include <limits>

#include "metrics/ngrams.h"
#include "metrics/shift_edits.h"
#include "metrics/substitutions.h"
#include "metrics/unicode.h"

namespace ventris::metrics {
namespace {

using namespace std::string_view_literals;

bool is_western_punctuation(char32_t c) { return U".,?:;!\"()"sv.find(c) != std::u32string_view::npos; }

bool is_asian_punctuation(char32_t c) {
  return c == 0x3001 || c == 0x3002 || (c >= 0x3008 && c <= 0x3011) || (c >= 0x3014 && c <= 0x301F) ||
         (c >= 0xFF61 && c <= 0xFF65) || c == 0x30FB || U"．，？：；！＂（）"sv.find(c) != std::u32string_view::npos;
}

/// Characters that become separate words.
bool is_asian_word(char32_t c) {
  return (c >= 0x2E80 && c <= 0x2EFF) || (c >= 0x31C0 && c <= 0x31EF) || (c >= 0x3200 && c <= 0x4DBF) ||
         (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFE30 && c <= 0xFE4F);
}

std::string normalize(std::string text) {
  replace_all(text, "\n-", "");
  std::replace(text.begin(), text.end(), '\n', ' ');
  unescape_entities(text);
  text = split_ascii_punctuation(" " + text + " ");
  replace_all(text, "'s ", " 's ");
  return split_stops_and_dashes(text);
}

template <typename Test>
std::string without(const std::string& text, const Test& test) {
  std::string result;
  for_each_character(text, [&](char32_t c, std::string_view bytes) {
    if (!test(c)) result.append(bytes);
  });
  return result;
}

/// sacreBLEU 2.6 normalises references twice. This makes a difference if the first time puts "'s" before a space.
std::string tokenize_reference(const std::string& line, const TerOptions& options) {
  std::string text = tokenize_tercom(line, options);
  return options.normalized || options.no_punctuation ? tokenize_tercom(text, options) : text;
}

/// `lines`: the hypothesis, then its references.
TerStatistics segment_statistics(const std::vector<const std::string*>& lines, const TerOptions& options) {
  std::vector<std::string> texts;
  texts.reserve(lines.size());  // WordNumbers keeps views of these texts
  std::vector<Symbols> sequences;
  WordNumbers numbers;
  for (const std::string* line : lines) {
    texts.push_back(texts.empty() ? tokenize_tercom(*line, options) : tokenize_reference(*line, options));
    sequences.push_back(numbers(split_words(texts.back())));
  }
  TerStatistics statistics;
  statistics.edits = std::numeric_limits<int64_t>::max();
  size_t words = 0;
  for (size_t r = 1; r < sequences.size(); ++r) {
    statistics.edits = std::min(statistics.edits, shift_edits(sequences[0], sequences[r]));
    words += sequences[r].size();
  }
  statistics.ref_length = static_cast<double>(words) / static_cast<double>(sequences.size() - 1);
  return statistics;
}

}  // namespace

std::string tokenize_tercom(std::string_view line, const TerOptions& options) {
  const std::string_view kept = strip_right(line);
  std::string text = options.case_sensitive ? std::string(kept) : to_lower(kept);
  if (text.empty()) return text;
  if (options.normalized) {
    text = normalize(std::move(text));
    if (options.asian_support) {
      text = set_apart(text, [](char32_t c) { return is_asian_word(c) || is_asian_punctuation(c); });
    }
  }
  if (options.no_punctuation) {
    text = without(text, is_western_punctuation);
    if (options.asian_support) text = without(text, is_asian_punctuation);
  }
  return join_words(split_words(text));
}

TerStatistics& TerStatistics::operator+=(const TerStatistics& other) {
  edits += other.edits;
  ref_length += other.ref_length;
  return *this;
}

std::vector<TerStatistics> ter_statistics(const std::vector<std::string>& hypotheses, const References& references,
                                          const TerOptions& options, int threads) {
  std::vector<TerStatistics> statistics(hypotheses.size());
  for_each_segment(hypotheses, references, threads,
                   [&](size_t segment, int /*worker*/, const std::vector<const std::string*>& lines) {
                     statistics[segment] = segment_statistics(lines, options);
                   });
  return statistics;
}

TerScore ter_score(const TerStatistics& statistics) {
  if (statistics.ref_length > 0) return {100 * (static_cast<double>(statistics.edits) / statistics.ref_length)};
  return {statistics.edits > 0 ? 100.0 : 0.0};
}

ResampledScore resampled_ter(std::span<const float> sums) {
  if (sums[1] > 0) return {100 * (sums[0] / sums[1]), true};
  return {sums[0] > 0 ? 100.0 : 0.0, false};
}

TerScore corpus_ter(const std::vector<std::string>& hypotheses, const References& references,
                    const TerOptions& options) {
  TerStatistics sum;
  for (const TerStatistics& segment : ter_statistics(hypotheses, references, options)) sum += segment;
  return ter_score(sum);
}

TerScore sentence_ter(const std::string& hypothesis, const std::vector<std::string>& references,
                      const TerOptions& options) {
  return corpus_ter({hypothesis}, columns_of(references), options);
}

}  // namespace ventris::metrics
