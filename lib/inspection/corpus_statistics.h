#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "inspection/character_counts.h"
#include "inspection/length_counts.h"
#include "text/tokenizer.h"

namespace ventris::inspection {

/// What is looked at: a text, two that go line by line, or one file of two TAB-separated columns. .gz by suffix, "-" is
/// standard input.
struct CorpusPaths {
  std::string source;
  std::string target;  ///< empty = there is none, or `tsv`
  bool tsv = false;

  bool parallel() const { return tsv || !target.empty(); }
};

struct SurveyOptions {
  std::optional<text::Tokenizer> source_tokenizer, target_tokenizer;  ///< none = tokens are not counted
  std::optional<CorpusPaths> overlap;  ///< a test set to look for in the corpus, with as many sides
  int threads = 1;                     ///< for tokenising; any number gives the same result
};

/// Lines of a kind.
struct LineTally {
  int64_t count = 0;
  int64_t first = 0;  ///< number of the first one, from 1; 0 = none

  void add(int64_t line);
};

/// What the lines of one side are.
struct SideStatistics {
  std::string path;
  LengthCounts characters, words, tokens;  ///< tokens: without lines if there is no tokenizer
  LineTally blank;                         ///< nothing but white space
  LineTally invalid_utf8;                  ///< bad bytes were replaced; of both columns of a TSV file
  LineTally too_long;                      ///< over 1 MiB; counted with what was left of them
  int64_t duplicates = 0;                  ///< lines that stood there before
  int64_t unknown = 0;                     ///< tokens that are no piece of the tokenizer
  LineTally with_unknown;
  int64_t pieces = 0, pieces_used = 0;  ///< of the tokenizer; those that occur
  std::vector<ScriptCount> scripts;

  bool has_tokens() const { return tokens.lines() > 0; }
};

/// What the pairs are. Lengths are in tokens, or in words where tokens are not counted.
struct PairStatistics {
  int64_t pairs = 0;
  int64_t duplicates = 0;  ///< pairs that stood there before
  LineTally identical;     ///< source and target are the same text, and not blank
  LineTally one_blank;     ///< one side is blank and the other is not
  LineTally uneven;        ///< one side over 10 long and over 9 times as long as the other, as training leaves out
  std::vector<double> ratios;  ///< target / source at the percentiles 1, 5, 50, 95, 99, of pairs without a blank side
};

/// Lines of a test set that stand in the corpus.
struct OverlapStatistics {
  int64_t lines = 0;  ///< of the test set
  int64_t source = 0, target = 0, pair = 0;  ///< of these, whose source, target, both at once the corpus has
  LineTally in_corpus;  ///< lines of the corpus that have the source or the target of one
};

struct CorpusStatistics {
  CorpusPaths paths;
  SideStatistics source;
  std::optional<SideStatistics> target;
  std::optional<PairStatistics> pairs;
  std::optional<OverlapStatistics> overlap;
  std::string problem;  ///< what makes the corpus unfit for training; empty = nothing
};

/// Reads the corpus once. Memory: 8 bytes a line for each side and for the pairs, and some 50 MB. Files of different
/// length, rows of a TSV file without two columns and a corpus without a line are a `problem`. Throws DataError for a
/// file that cannot be read or unpacked and for a test set with such a problem, ConfigError if the test set has not as
/// many sides as the corpus or both are standard input, Interrupted when a stop signal arrives (core/process.h).
CorpusStatistics survey_corpus(const CorpusPaths& paths, const SurveyOptions& options);

}  // namespace ventris::inspection
