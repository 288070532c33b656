#include "alignment/align_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "alignment/model_file.h"
#include "core/error.h"
#include "core/human.h"
#include "core/log.h"
#include "core/process.h"
#include "core/progress.h"
#include "data/pair_lines.h"
#include "files/files.h"
#include "files/paths.h"
#include "metrics/tokenization.h"
#include "metrics/unicode.h"

namespace ventris::alignment {
namespace {

constexpr size_t kLinesToLookAt = 2000;  // of each side, to see whether they are tokenized

std::string names_of(const data::CorpusFiles& files) {
  return files.target.empty() ? files.source : files.source + ", " + files.target;
}

/// What is odd about the lines of a corpus.
struct LineCounts {
  int64_t lines = 0, invalid_utf8 = 0;
  core::FirstLines too_long;
  std::vector<std::string> first_source, first_target;
};

void look_at(const std::string& line, std::vector<std::string>& lines) {
  if (lines.size() < kLinesToLookAt) lines.push_back(line);
}

void warn(const data::CorpusFiles& files, const LineCounts& counts, metrics::Division division) {
  const std::string names = names_of(files);
  if (counts.too_long.count() > 0) {
    core::log_warning(fmt::format("{}: {} over {} words or 1 MiB got no links ({})", names,
                                  core::count_of(counts.too_long.count(), "line pair"), kMostWords,
                                  counts.too_long.text()));
  }
  const std::string encoding =
      data::encoding_problem(files, {.lines = counts.lines, .invalid_utf8 = counts.invalid_utf8});
  if (!encoding.empty()) {
    core::log_warning(encoding);
  } else if (counts.invalid_utf8 > 0) {
    core::log_warning(fmt::format("{}: {} with invalid UTF-8, whose bad bytes became U+FFFD", names,
                                  core::count_of(counts.invalid_utf8, "line pair")));
  }
  if (division == metrics::Division::kText &&
      (metrics::looks_tokenized(counts.first_source) || metrics::looks_tokenized(counts.first_target))) {
    core::log_warning(names +
                      ": 100 or more lines end in ' .', so the text looks tokenized, but links count the words that "
                      "ventris-align finds itself; use --tokenized to count what is between white space");
  }
}

/// Writes the lines of both sides, divided into words.
class WordFiles {
 public:
  WordFiles(const std::string& source, const std::string& target)
      : source_(source, files::Packing::kBySuffix), target_(target, files::Packing::kBySuffix) {}

  void write(std::span<const std::string_view> source_words, std::span<const std::string_view> target_words) {
    source_.write(line_of(source_words));
    target_.write(line_of(target_words));
  }
  void flush() {
    source_.flush();
    target_.flush();
  }
  void commit() {
    source_.commit();
    target_.commit();
  }

 private:
  static std::string line_of(std::span<const std::string_view> words) {
    return metrics::join_words({words.begin(), words.end()}) + "\n";
  }

  files::OutputFile source_, target_;
};

class Run {
 public:
  explicit Run(const AlignJob& job)
      : job_(job),
        output_(job.output, files::Packing::kBySuffix),
        pairs_(job.prefix.value_or(kPrefix)),
        division_(job.division.value_or(metrics::Division::kText)) {
    if (!job.save.empty()) save_.emplace(job.save, files::Packing::kBySuffix);
    if (!job.probabilities.empty()) probabilities_.emplace(job.probabilities, files::Packing::kBySuffix);
    if (job.words.size() == 2) words_ = std::make_unique<WordFiles>(job.words[0], job.words[1]);
  }

  void run() {
    const double start = core::seconds_now();
    for (const data::CorpusFiles& files : job_.train) data::check_files(files);
    if (job_.input) data::check_files(*job_.input);
    set_model();
    if (job_.input) {
      pairs_.clear();
      read(*job_.input, false);
    }
    link();
    commit();
    core::log_info(fmt::format("{}: {}, {} in {:.1f} s, peak memory {:.0f} MiB", job_.output,
                               core::grouped(static_cast<int64_t>(pairs_.size())) + " line pairs",
                               core::grouped(links_) + " links", core::seconds_now() - start, core::peak_memory_mib()));
  }

 private:
  void set_model() {
    if (!job_.model.empty()) {
      SavedModel saved = read_model(job_.model);
      pairs_ = std::move(saved.pairs);
      model_ = std::move(saved.model);
      division_ = saved.division;
      return;
    }
    for (const data::CorpusFiles& files : job_.train) read(files, true);
    EstimatedModel estimated = estimate();
    model_ = std::move(estimated.model);
    if (!job_.input) spelling_ = estimated.spelling;
    if (save_) write_model(*save_, pairs_, model_, division_);
  }

  EstimatedModel estimate() {
    try {
      return estimate_alignment(pairs_, job_.options.estimation);
    } catch (const DataError& error) {
      fail<DataError>(names_of(job_.train.front()), ": ", error.what());
    }
  }

  void read(const data::CorpusFiles& files, bool counted) {
    data::PairLines lines(files);
    core::Progress progress("reading " + files.source, "pairs");
    metrics::WordDivider divider(division_);
    LineCounts counts;
    for (std::string source, target; lines.next(source, target); ++counts.lines) {
      if (lines.replaced()) note_invalid(files, counts);
      if (lines.cut()) {
        source.clear();
        target.clear();
        counts.too_long.add(counts.lines + 1);
      }
      look_at(source, counts.first_source);
      look_at(target, counts.first_target);
      add(divider, source, target, counted, counts);
      progress.add();
    }
    warn(files, counts, division_);
  }

  void note_invalid(const data::CorpusFiles& files, LineCounts& counts) const {
    if (job_.strict) {
      fail<DataError>(names_of(files), ": line ", counts.lines + 1,
                      " has invalid UTF-8; correct it, or leave out --strict to replace the bad bytes");
    }
    ++counts.invalid_utf8;
  }

  void add(metrics::WordDivider& divider, const std::string& source, const std::string& target, bool counted,
           LineCounts& counts) {
    if (pairs_.size() >= data::kMostPairs) fail<DataError>("expected at most ", data::kMostPairs, " line pairs");
    const auto source_words = divider.divide(source), target_words = divider.divide(target);
    pairs_.add(source_words, target_words, counted);
    if (std::max(source_words.size(), target_words.size()) > kMostWords) counts.too_long.add(counts.lines + 1);
    if (words_ && counted == !job_.input) words_->write(source_words, target_words);
  }

  void link() {
    const LinkingOptions options{.symmetrization = job_.options.symmetrization,
                                 .probabilities = probabilities_.has_value(),
                                 .spelling = spelling_,
                                 .threads = job_.options.estimation.threads};
    link_pairs(pairs_, model_, options, [&](const AlignedPair& pair) {
      output_.write(format_links(pair.links) + "\n");
      if (probabilities_) probabilities_->write(format_probabilities(pair.probabilities) + "\n");
      links_ += static_cast<int64_t>(pair.links.size());
    });
  }

  /// A full disk or a closed pipe is noticed before the first file gets its name.
  void commit() {
    if (save_) save_->flush();
    if (words_) words_->flush();
    if (probabilities_) probabilities_->flush();
    output_.flush();
    if (save_) save_->commit();
    if (words_) words_->commit();
    if (probabilities_) probabilities_->commit();
    output_.commit();
  }

  const AlignJob& job_;
  files::OutputFile output_;
  std::optional<files::OutputFile> save_, probabilities_;
  std::unique_ptr<WordFiles> words_;
  SentencePairs pairs_;
  AlignmentModel model_;
  metrics::Division division_;
  Spelling spelling_ = Spelling::kCompared;
  int64_t links_ = 0;
};

void check_sources(const AlignJob& job) {
  if (job.train.empty() && job.model.empty()) {
    fail<ConfigError>("--train: missing; give a source and a target file, --train-tsv FILE, or a saved --model MODEL");
  }
  if (job.model.empty()) return;
  if (!job.train.empty()) {
    fail<ConfigError>("--model: cannot be used with --train; a saved model is used as it is");
  }
  if (!job.input) fail<ConfigError>("SRC TGT: missing; give the two files to align with --model, or --tsv FILE");
  if (!job.save.empty()) fail<ConfigError>("--save: there is nothing to save, because --model is a saved model");
  if (job.division) fail<ConfigError>("--tokenized: cannot be used with --model, which says how text is divided");
  if (job.prefix) fail<ConfigError>("--prefix: cannot be used with --model, which has its own");
}

void check_files_differ(const AlignJob& job) {
  std::set<std::filesystem::path> inputs, outputs;
  const auto add_input = [&](const std::string& path) {
    if (!path.empty()) inputs.insert(files::resolved(path));
  };
  std::vector<data::CorpusFiles> corpora = job.train;
  if (job.input) corpora.push_back(*job.input);
  for (const data::CorpusFiles& files : corpora) {
    add_input(files.source);
    add_input(files.target);
  }
  add_input(job.model);
  std::vector<std::pair<const char*, std::string>> written{
      {"--output", job.output}, {"--save", job.save}, {"--probabilities", job.probabilities}};
  for (const std::string& path : job.words) written.emplace_back("--words", path);
  for (const auto& [flag, path] : written) {
    if (path.empty()) continue;
    const auto resolved = path == "-" ? std::filesystem::path(path) : files::resolved(path);
    if (inputs.contains(resolved)) fail<ConfigError>(flag, ": ", path, " is also an input; give another file");
    if (!outputs.insert(resolved).second) fail<ConfigError>(flag, ": ", path, " is written already; give another file");
  }
}

}  // namespace

void align_files(const AlignJob& job) {
  check_sources(job);
  check_files_differ(job);
  Run(job).run();
}

}  // namespace ventris::alignment
