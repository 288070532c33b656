#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "inspection/character_counts.h"
#include "inspection/length_counts.h"
#include "text/tokenizer.h"

namespace ventris::inspection {

/// The files of a corpus: one text, two texts whose lines belong together, or one file with two TAB-separated columns
/// or a translation memory (memories::parse_memory).
/// Names that end in .gz are read as gzip; "-" is standard input.
struct CorpusPaths {
  std::string source;
  std::string target;  ///< empty = one side, or `tsv`
  bool tsv = false;

  bool parallel() const { return tsv || !target.empty(); }
};

struct SurveyOptions {
  std::optional<text::Tokenizer> source_tokenizer, target_tokenizer;  ///< empty = tokens are not counted
  std::optional<CorpusPaths> overlap;  ///< a test set to look for in the corpus, with the same number of sides
  int threads = 1;                     ///< for tokenization; does not affect the result
};

/// A count of certain lines.
struct LineTally {
  int64_t count = 0;
  int64_t first = 0;  ///< number of the first one, from 1; 0 = none

  void add(int64_t line);
};

/// Statistics of one side.
struct SideStatistics {
  std::string path;
  LengthCounts characters, words, tokens;  ///< `tokens` has no lines if there is no tokenizer
  LineTally blank;                         ///< lines with only white space or nothing
  LineTally invalid_utf8;                  ///< bad bytes were replaced; for a TSV file, in both columns
  LineTally too_long;                      ///< over 1 MiB; their other statistics are those after cutting
  int64_t duplicates = 0;                  ///< lines that occurred before
  int64_t unknown = 0;                     ///< unknown tokens
  LineTally with_unknown;
  int64_t pieces = 0, pieces_used = 0;  ///< pieces of the tokenizer, and how many of them occur
  std::vector<ScriptCount> scripts;

  bool has_tokens() const { return tokens.lines() > 0; }
};

/// Statistics of the pairs. Lengths are in tokens, or in words if tokens are not counted.
struct PairStatistics {
  int64_t pairs = 0;
  int64_t duplicates = 0;  ///< pairs that occurred before
  LineTally identical;     ///< source and target are the same text and not blank
  LineTally one_blank;     ///< one side is blank and the other is not
  LineTally uneven;  ///< one side over 10 long and over 9 times as long as the other; training leaves these out
  std::vector<double> ratios;  ///< percentiles 1, 5, 50, 95 and 99 of target / source, of pairs without a blank side
};

/// Lines of a test set that occur in the corpus.
struct OverlapStatistics {
  int64_t lines = 0;  ///< of the test set
  int64_t source = 0, target = 0, pair = 0;  ///< those whose source, target, or both as a pair occur in the corpus
  LineTally in_corpus;  ///< lines of the corpus with a source or a target of the test set
};

struct CorpusStatistics {
  CorpusPaths paths;
  SideStatistics source;
  std::optional<SideStatistics> target;
  std::optional<PairStatistics> pairs;
  std::optional<OverlapStatistics> overlap;
  std::string problem;  ///< why the corpus cannot be used for training; empty = it can
};

/// Reads the corpus once. Memory: 8 bytes per line for each side and for the pairs, plus about 50 MB. Files of
/// different lengths, rows of a TSV file without two columns, and a corpus without lines are a `problem`. Throws
/// DataError for a file that cannot be read, or a test set with such a problem; ConfigError if the test set has another
/// number of sides or both are standard input; Interrupted when a stop signal arrives (core/process.h).
CorpusStatistics survey_corpus(const CorpusPaths& paths, const SurveyOptions& options);

}  // namespace ventris::inspection
