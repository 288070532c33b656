#include "inspection/corpus_statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

#include "core/error.h"
#include "core/parallel.h"
#include "core/process.h"
#include "core/progress.h"
#include "inspection/corpus_lines.h"
#include "inspection/line_hashes.h"
#include "text/valid_utf8.h"

namespace ventris::inspection {
namespace {

/// The lines that are read before the threads tokenize them. Also limited in bytes, because a line may have a million.
constexpr size_t kBlockLines = 4096;
constexpr size_t kBlockBytes = 16 << 20;
constexpr size_t kTopCharacters = 10;  // of each script
constexpr int64_t kShortLine = 10;     // up to this length, any ratio is normal
constexpr double kMostRatio = 9;
constexpr std::array<double, 5> kRatioShares{0.01, 0.05, 0.5, 0.95, 0.99};

/// Counts ratios by their logarithm, rounded to one hundredth. Memory: one bucket per different value.
class RatioCounts {
 public:
  void add(double ratio) {
    const auto bucket = static_cast<int64_t>(std::lround(std::log(ratio) * kSteps)) + kMiddle;
    ++counts_[static_cast<size_t>(std::clamp<int64_t>(bucket, 0, 2 * kMiddle))];
    ++total_;
  }

  double percentile(double share) const {
    const auto wanted = static_cast<int64_t>(std::ceil(share * static_cast<double>(total_)));
    int64_t seen = 0, bucket = 0;
    for (; bucket < 2 * kMiddle; ++bucket) {
      seen += counts_[static_cast<size_t>(bucket)];
      if (seen >= wanted) break;
    }
    return std::exp(static_cast<double>(bucket - kMiddle) / kSteps);
  }

  bool empty() const { return total_ == 0; }

 private:
  static constexpr double kSteps = 100;
  static constexpr int64_t kMiddle = 1400;  // a million to one
  std::vector<int64_t> counts_ = std::vector<int64_t>(2 * kMiddle + 1);
  int64_t total_ = 0;
};

/// One side of the corpus while it is read.
class Side {
 public:
  explicit Side(const std::optional<text::Tokenizer>& tokenizer) : tokenizer_(tokenizer) {
    if (tokenizer_) used_.resize(static_cast<size_t>(tokenizer_->size()));
  }

  /// Thread-safe.
  std::vector<int32_t> encode(const std::string& line) const {
    return tokenizer_ ? tokenizer_->encode(line) : std::vector<int32_t>();
  }

  /// Returns the line's length in tokens, or in words.
  int64_t add(const std::string& line, int64_t number, const std::vector<int32_t>& ids, uint64_t hash) {
    repetitions_.add(hash);
    const TextLength length = characters_.add(line);
    statistics.characters.add(length.characters, number);
    statistics.words.add(length.words, number);
    if (text::is_blank(line)) statistics.blank.add(number);
    if (!tokenizer_) return length.words;
    const auto tokens = static_cast<int64_t>(ids.size());
    statistics.tokens.add(tokens, number);
    const auto unknown = std::count(ids.begin(), ids.end(), core::SpecialIds{}.unk);
    statistics.unknown += unknown;
    if (unknown > 0) statistics.with_unknown.add(number);
    for (const int32_t id : ids) used_[static_cast<size_t>(id)] = true;
    return tokens;
  }

  void finish(const std::string& path, const text::LineCounts& counts) {
    statistics.path = path == "-" ? "standard input" : path;
    statistics.invalid_utf8 = {counts.invalid_utf8, counts.first_invalid_utf8};
    statistics.too_long = {counts.too_long, counts.first_too_long};
    statistics.duplicates = repetitions_.count();
    statistics.scripts = characters_.scripts(kTopCharacters);
    statistics.pieces = static_cast<int64_t>(used_.size());
    statistics.pieces_used = std::count(used_.begin(), used_.end(), true);
  }

  SideStatistics statistics;

 private:
  const std::optional<text::Tokenizer>& tokenizer_;
  CharacterCounts characters_;
  Repetitions repetitions_;
  std::vector<bool> used_;
};

/// Why the files cannot be used as a corpus, found after reading them; empty = they can.
std::string problem_of(const CorpusPaths& paths, const CorpusLines& lines) {
  std::ostringstream text;
  if (lines.source().lines == 0) {
    text << paths.source << ": is empty; expected one sentence per line";
  } else if (lines.bad_rows().count > 0) {
    text << paths.source << ":" << lines.bad_rows().first
         << ": expected 2 columns separated by a TAB; rows without them: " << lines.bad_rows().count;
  } else if (lines.source().lines != lines.target().lines) {
    text << "line counts differ: " << paths.source << " has " << lines.source().lines << ", " << paths.target << " has "
         << lines.target().lines << "; each line must translate the same line of the other file";
  }
  return text.str();
}

/// The test set.
class TestSet {
 public:
  explicit TestSet(const CorpusPaths& paths) : parallel_(paths.parallel()) {
    CorpusLines lines(paths);
    for (CorpusLine line; lines.next(line);) {
      const uint64_t source = hash_of(line.source), target = hash_of(line.target);
      if (!text::is_blank(line.source)) source_.add(source);
      if (parallel_ && !text::is_blank(line.target)) target_.add(target);
      pairs_.add(hash_of(source, target));
      statistics_.lines += 1;
    }
    const std::string problem = problem_of(paths, lines);
    if (!problem.empty()) fail<DataError>("--overlap: ", problem);
  }

  void look_up(uint64_t source, uint64_t target, int64_t line) {
    const bool known_source = source_.look_up(source), known_target = parallel_ && target_.look_up(target);
    if (known_source && known_target) pairs_.look_up(hash_of(source, target));
    if (known_source || known_target) statistics_.in_corpus.add(line);
  }

  OverlapStatistics statistics() const {
    OverlapStatistics all = statistics_;
    all.source = source_.found();
    all.target = target_.found();
    all.pair = pairs_.found();
    return all;
  }

 private:
  bool parallel_;
  Occurrences source_, target_, pairs_;
  OverlapStatistics statistics_;
};

/// The corpus while it is read.
class Survey {
 public:
  Survey(const CorpusPaths& paths, const SurveyOptions& options)
      : paths_(paths), options_(options), source_(options.source_tokenizer), target_(options.target_tokenizer) {
    if (options.overlap) test_set_.emplace(*options.overlap);
  }

  CorpusStatistics run() {
    CorpusLines lines(paths_);
    core::Progress progress("reading " + paths_.source, "lines");
    for (auto block = read_block(lines); !block.empty(); block = read_block(lines)) {
      if (const int signal = core::stop_signal(); signal != 0) {
        throw Interrupted(signal, paths_.source + ": stopped by a signal while reading the corpus");
      }
      std::vector<std::vector<int32_t>> sources(block.size()), targets(block.size());
      core::parallel_for(block.size(), options_.threads, [&](size_t i, int) {
        if (block[i].has_source) sources[i] = source_.encode(block[i].source);
        if (block[i].has_target) targets[i] = target_.encode(block[i].target);
      });
      for (size_t i = 0; i < block.size(); ++i) add(block[i], sources[i], targets[i]);
      progress.add(static_cast<double>(block.size()));
    }
    progress.phase("looking for duplicates");
    return finish(lines);
  }

 private:
  static std::vector<CorpusLine> read_block(CorpusLines& lines) {
    std::vector<CorpusLine> block;
    CorpusLine line;
    for (size_t bytes = 0; block.size() < kBlockLines && bytes < kBlockBytes && lines.next(line);) {
      bytes += line.source.size() + line.target.size();
      block.push_back(line);
    }
    return block;
  }

  void add(const CorpusLine& line, const std::vector<int32_t>& source_ids, const std::vector<int32_t>& target_ids) {
    const uint64_t source = hash_of(line.source), target = hash_of(line.target);
    int64_t source_length = 0, target_length = 0;
    if (line.has_source) source_length = source_.add(line.source, line.number, source_ids, source);
    if (line.has_target) target_length = target_.add(line.target, line.number, target_ids, target);
    if (test_set_ && line.has_source) test_set_->look_up(source, line.has_target ? target : 0, line.number);
    if (!line.has_source || !line.has_target) return;
    repetitions_.add(hash_of(source, target));
    add_pair(line, source_length, target_length);
  }

  void add_pair(const CorpusLine& line, int64_t source_length, int64_t target_length) {
    pairs_.pairs += 1;
    const bool no_source = text::is_blank(line.source), no_target = text::is_blank(line.target);
    if (no_source != no_target) pairs_.one_blank.add(line.number);
    if (!no_source && line.source == line.target) pairs_.identical.add(line.number);
    if (source_length == 0 || target_length == 0) return;
    const double ratio = static_cast<double>(target_length) / static_cast<double>(source_length);
    ratios_.add(ratio);
    if (std::max(source_length, target_length) > kShortLine && std::max(ratio, 1 / ratio) > kMostRatio) {
      pairs_.uneven.add(line.number);
    }
  }

  CorpusStatistics finish(const CorpusLines& lines) {
    CorpusStatistics all;
    all.paths = paths_;
    source_.finish(paths_.source, lines.source());
    all.problem = problem_of(paths_, lines);
    if (all.problem.empty() && paths_.parallel() && ratios_.empty()) {
      all.problem = paths_.source + ": in every pair, at least one side is blank";
    }
    if (paths_.parallel()) {
      target_.finish(paths_.tsv ? paths_.source : paths_.target, lines.target());
      pairs_.duplicates = repetitions_.count();
      for (const double share : kRatioShares) {
        if (!ratios_.empty()) pairs_.ratios.push_back(ratios_.percentile(share));
      }
      all.target = std::move(target_.statistics);
      all.pairs = std::move(pairs_);
    }
    if (test_set_) all.overlap = test_set_->statistics();
    all.source = std::move(source_.statistics);
    return all;
  }

  const CorpusPaths& paths_;
  const SurveyOptions& options_;
  Side source_, target_;
  PairStatistics pairs_;
  Repetitions repetitions_;
  RatioCounts ratios_;
  std::optional<TestSet> test_set_;
};

void check(const CorpusPaths& paths, const SurveyOptions& options) {
  int from_stdin = (paths.source == "-" ? 1 : 0) + (paths.target == "-" ? 1 : 0);
  if (options.overlap) {
    if (options.overlap->parallel() != paths.parallel()) {
      fail<ConfigError>("--overlap: expected the same number of files as for the corpus: ",
                        paths.parallel() ? "source and target" : "one file");
    }
    from_stdin += (options.overlap->source == "-" ? 1 : 0) + (options.overlap->target == "-" ? 1 : 0);
  }
  if (from_stdin > 1) fail<ConfigError>("standard input can be only one of the files");
}

}  // namespace

void LineTally::add(int64_t line) {
  if (count++ == 0) first = line;
}

CorpusStatistics survey_corpus(const CorpusPaths& paths, const SurveyOptions& options) {
  check(paths, options);
  return Survey(paths, options).run();
}

}  // namespace ventris::inspection
