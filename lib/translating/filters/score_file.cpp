#include "filters/score_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>

#include "core/error.h"
#include "core/human.h"
#include "core/log.h"
#include "core/process.h"
#include "files/files.h"
#include "files/output_name.h"
#include "filters/file_progress.h"
#include "filters/finished_lines.h"
#include "filters/json_lines.h"
#include "filters/losses.h"
#include "filters/moses.h"
#include "text/line_sequence.h"
#include "text/valid_utf8.h"

namespace ventris::filters {
namespace {

using core::plural;
using nlohmann::ordered_json;

/// The perplexity; NaN if the count is 0.
double perplexity(double log_prob, int64_t count) {
  return count > 0 ? std::exp(-log_prob / static_cast<double>(count)) : std::nan("");
}

std::string text_of(double number) { return std::isnan(number) ? "-" : fmt::format("{:.6f}", number); }

ordered_json score_json(const translation::PairScore& score, bool word_scores) {
  ordered_json json{{"score", rounded(score.score)},
                    {"log_prob", rounded(score.log_prob)},
                    {"tokens", score.token_log_probs.size()},
                    {"words", score.words},
                    {"blank", score.blank},
                    {"source_cut", score.source_cut},
                    {"target_cut", score.target_cut}};
  if (word_scores) {
    json["pieces"] = score.pieces;
    json["token_scores"] = rounded(score.token_log_probs);
  }
  return json;
}

/// Reads pairs from two files, one file with two columns, or an n-best list with its sources.
class PairReader {
 public:
  explicit PairReader(const ScoreSettings& settings) {
    text::LineReaderOptions reading;
    reading.strict = settings.strict;
    if (settings.format == ScoreFormat::kText && !settings.summary) {
      new_feature_ = settings.feature;
      word_scores_ = settings.word_scores;
    }
    weights_ = settings.weights;
    weighted_feature_ = settings.feature;
    context_ = settings.scorer.context;
    if (settings.source.empty()) {
      readers_.emplace_back(settings.tsv, reading);
    } else {
      readers_.emplace_back(settings.source, reading);
      readers_.emplace_back(settings.n_best.empty() ? settings.target : settings.n_best, reading);
    }
  }

  bool ready() {
    return std::all_of(readers_.begin(), readers_.end(), [](text::LineReader& reader) { return reader.ready(); });
  }

  bool next(translation::TextPair& pair) {
    const int64_t before = bytes();
    const bool more = next_pair(pair);
    pair.bytes = bytes() - before;
    pair.context.assign(before_.begin(), before_.end());
    if (more) remember(pair.source, pair.target);
    return more;
  }

  /// The next entry of the list with its source. The entries of a sentence are adjacent, in the order of the sources.
  bool next_listed(translation::TextPair& pair, MosesLine& entry) {
    std::string line;
    const int64_t before = readers_[1].counts().bytes;
    if (!readers_[1].next(line)) return false;
    const std::string where = readers_[1].path() + ":" + std::to_string(readers_[1].counts().lines);
    entry = MosesLine::parse(line, where);
    check_features(entry, where);
    if (!weights_.empty()) entry.other_features = entry.weighted(weights_, weighted_feature_, where);
    find_source(entry, where);
    pair = {source_, entry.text(), readers_[1].counts().bytes - before, {before_.begin(), before_.end()}};
    return true;
  }

  /// To be called after each pair.
  void note_cut_lines(Losses& losses) const {
    for (const text::LineReader& reader : readers_) losses.add_cut(reader);
  }
  void warn() const {
    for (const text::LineReader& reader : readers_) text::warn_about(reader);
  }

 private:
  /// How many bytes were read so far.
  int64_t bytes() const {
    int64_t all = 0;
    for (const text::LineReader& reader : readers_) all += reader.counts().bytes;
    return all;
  }

  bool next_pair(translation::TextPair& pair) {
    if (readers_.size() == 1) return next_columns(pair);
    const bool more = readers_[0].next(pair.source);
    if (readers_[1].next(pair.target) != more) {
      fail<DataError>("line counts differ: ", readers_[0].path(), " has ", readers_[0].counts().lines,
                      " lines so far, ", readers_[1].path(), " ", readers_[1].counts().lines,
                      "; each source needs one target");
    }
    return more;
  }

  void find_source(const MosesLine& entry, const std::string& where) {
    if (entry.id < source_id_) fail<DataError>(where, ": ID ", entry.id, " stands behind ID ", source_id_, "; sort it");
    for (; source_id_ < entry.id; ++source_id_) {
      if (source_id_ >= 0) remember(source_, source_);
      if (readers_[0].next(source_)) continue;
      fail<DataError>(where, ": ID ", entry.id, " has no source; ", readers_[0].path(), " has ",
                      readers_[0].counts().lines, " lines, and IDs count from 0");
    }
  }

  /// Adds a pair to the context of those behind it. A blank line ends a document.
  void remember(const std::string& source, const std::string& target) {
    if (context_ == 0) return;
    if (text::is_blank(source) || text::is_blank(target)) return before_.clear();
    before_.emplace_back(source, target);
    if (std::ssize(before_) > context_) before_.pop_front();
  }

  /// Checks that the list does not have the new fields yet.
  void check_features(const MosesLine& entry, const std::string& where) const {
    if (!new_feature_.empty() && entry.has_feature(new_feature_)) {
      fail<ConfigError>("feature: ", where, " has a feature ", new_feature_,
                        " already; give the new feature another name (--feature)");
    }
    if (word_scores_ && entry.has_feature("WordScores")) {
      fail<ConfigError>("word_scores: ", where, " has a field WordScores= already; leave --word-scores out");
    }
  }

  bool next_columns(translation::TextPair& pair) {
    std::string line;
    if (!readers_[0].next(line)) return false;
    auto columns = text::split_pair(line, readers_[0].path(), readers_[0].counts().lines);
    pair = {std::move(columns[0]), std::move(columns[1])};
    return true;
  }

  std::vector<text::LineReader> readers_;
  std::string source_;
  int64_t source_id_ = -1;  // ID of source_
  int64_t context_ = 0;                                     // how many pairs before a pair count
  std::deque<std::pair<std::string, std::string>> before_;  // the last pairs of the document, or sources of a list
  std::string new_feature_;   // name of the feature to add to a list; "" = none
  bool word_scores_ = false;  // whether word scores are added to it, too
  Features weights_;          // of features of the list
  std::string weighted_feature_;  // the one among them that is not in the list yet
};

/// Takes scores and writes the output.
class ScoreWriter {
 public:
  explicit ScoreWriter(const ScoreSettings& settings)
      : settings_(settings), output_(settings.output, files::Packing::kBySuffix) {}

  void expect(const MosesLine& entry) { entries_.push_back(entry); }

  void take(const translation::PairScore& score) {
    ++taken_;
    if (score.unscored) losses_.add("a blank source, so that its target was not scored", taken_);
    if (score.source_cut) losses_.add("a source with more tokens than allowed, cut", taken_);
    if (score.target_cut) losses_.add("a target with more tokens than allowed, cut", taken_);
    if (settings_.summary) return;
    if (settings_.n_best.empty()) return write(format_score(score, settings_));
    MosesLine entry = std::move(entries_.front());
    entries_.pop_front();
    if (!group_.empty() && group_.front().first != entry.id) write_group();
    const auto id = entry.id;
    const double total =
        totals() ? entry.other_features + settings_.weights.at(settings_.feature).front() * score.score : score.score;
    group_.push_back({id, {total, listed(std::move(entry), score, total)}});
    if (!settings_.sort) write_group();
  }

  Losses& losses() { return losses_; }

  void finish() {
    write_group();
    output_.commit();
  }

  void finish_with(const translation::ScoreCounts& counts) {
    write(format_summary(counts, settings_.format));
    output_.commit();
  }

  /// Keeps the finished scores after a signal, even of a sentence with unfinished translations, and returns the
  /// exception to throw. A summary of a part is not written.
  Interrupted stopped(int signal) {
    write_group();
    return keep_finished(output_, settings_.output, {"pair", taken_}, signal);
  }

  /// The same where another exception is handled, which goes on from here with what was kept.
  [[noreturn]] void fail_with_scores() {
    try {
      write_group();
    } catch (const WriteError&) {  // it is less important than the first one
    }
    fail_with_finished(output_, settings_.output, {"pair", taken_});
  }

 private:
  bool totals() const { return !settings_.weights.empty(); }

  std::string listed(MosesLine entry, const translation::PairScore& score, double total) const {
    if (settings_.format == ScoreFormat::kJsonl) {
      ordered_json json{{"id", entry.id}, {"text", entry.text()}};
      json.update(score_json(score, settings_.word_scores));
      if (totals()) json["total"] = rounded(total);
      if (entry.fields.size() > 2)
        json["fields"] = std::vector<std::string>(entry.fields.begin() + 2, entry.fields.end());
      return to_line(json) + "\n";
    }
    entry.add_feature(settings_.feature, fmt::format("{:.6f}", score.score));
    if (totals()) entry.set_total(fmt::format("{:.6f}", total));
    if (settings_.word_scores) entry.fields.insert(entry.fields.begin() + 2, format_word_scores(score.token_log_probs));
    return entry.to_text() + "\n";
  }

  void write_group() {
    if (settings_.sort) {
      std::stable_sort(group_.begin(), group_.end(),
                       [](const auto& a, const auto& b) { return a.second.first > b.second.first; });
    }
    for (const auto& [id, line] : group_) write(line.second);
    group_.clear();
  }

  void write(const std::string& line) {
    output_.write(line);
    if (output_.is_read_at_once()) output_.flush();
  }

  const ScoreSettings& settings_;
  files::OutputFile output_;
  int64_t taken_ = 0;
  Losses losses_;
  std::deque<MosesLine> entries_;                                          // not scored yet
  std::vector<std::pair<int64_t, std::pair<double, std::string>>> group_;  // ID, total and line of one sentence
};

void report(const translation::ScoreCounts& counts, double seconds) {
  if (counts.blank > 0) {
    core::log_warning(fmt::format("{} {} a blank source and {} not scored (first: pair {})", counts.blank,
                                  counts.blank == 1 ? "pair has" : "pairs have", counts.blank == 1 ? "was" : "were",
                                  counts.first_blank));
  }
  if (counts.first_cut > 0) {
    const std::string allowing = counts.workspace_tokens > 0 ? "--workspace" : "the model";
    core::log_warning(fmt::format("{} {} and {} {} had more tokens than {} allows and were cut (first: pair {})",
                                  counts.source_cut, plural(counts.source_cut, "source"), counts.target_cut,
                                  plural(counts.target_cut, "target"), allowing, counts.first_cut));
  }
  core::log_info(fmt::format("{} {} in {:.2f} s, {:.0f} target tokens/s", counts.pairs, plural(counts.pairs, "pair"),
                             seconds, static_cast<double>(counts.tokens) / std::max(seconds, 1e-9)));
}

/// The files whose lines are pairs, by whose bytes progress is measured.
std::vector<std::string> counted_inputs(const ScoreSettings& settings) {
  if (!settings.n_best.empty()) return {settings.n_best};
  if (settings.source.empty()) return {settings.tsv};
  return {settings.source, settings.target};
}

}  // namespace

std::string format_score(const translation::PairScore& score, const ScoreSettings& settings) {
  if (settings.format == ScoreFormat::kJsonl) return to_line(score_json(score, settings.word_scores)) + "\n";
  const std::string words = settings.word_scores ? " ||| " + format_word_scores(score.token_log_probs) : "";
  return fmt::format("{:.6f}{}\n", score.score, words);
}

std::string format_summary(const translation::ScoreCounts& counts, ScoreFormat format) {
  const double per_token = perplexity(counts.log_prob, counts.tokens);
  const double per_word = perplexity(counts.log_prob, counts.words);
  if (format == ScoreFormat::kJsonl) {
    const ordered_json json{{"pairs", counts.pairs},
                            {"blank", counts.blank},
                            {"source_cut", counts.source_cut},
                            {"target_cut", counts.target_cut},
                            {"tokens", counts.tokens},
                            {"words", counts.words},
                            {"log_prob", rounded(counts.log_prob)},
                            {"perplexity_per_token", rounded(per_token)},
                            {"perplexity_per_word", rounded(per_word)}};
    return to_line(json) + "\n";
  }
  return fmt::format(
      "pairs {} (blank {}, cut sources {}, cut targets {})\ntokens {}\nwords {}\nlog-probability {:.6f}\n"
      "perplexity per token {}\nperplexity per word {}\n",
      counts.pairs, counts.blank, counts.source_cut, counts.target_cut, counts.tokens, counts.words, counts.log_prob,
      text_of(per_token), text_of(per_word));
}

translation::ScoreCounts score_file(const ScoreSettings& settings, const model::Package& package,
                                    const LoadScorers& load) {
  if (settings.scorer.context > 0 && package.config.context.both && !settings.n_best.empty()) {
    fail<ConfigError>("context: ", package.path,
                      " also reads the translations of the sentences before, which an n-best ",
                      "list does not have; leave it out, or score pairs (SRC TGT)");
  }
  const double started = core::seconds_now();
  files::check_is_no_input(settings.output, {settings.source, settings.target, settings.tsv, settings.n_best});
  PairReader reader(settings);
  ScoreWriter writer(settings);
  const translation::TextScorer scorer(package, *load(), settings.scorer);
  const translation::TextScorer::Source source = [&](translation::TextPair& pair) {
    MosesLine entry;
    const bool more = settings.n_best.empty() ? reader.next(pair) : reader.next_listed(pair, entry);
    if (more && !settings.n_best.empty() && !settings.summary) writer.expect(entry);
    reader.note_cut_lines(writer.losses());
    return more;
  };
  translation::ScoreCounts counts;
  try {
    const auto progress = file_progress("scoring", counted_inputs(settings), settings.output);
    translation::TextScorer::Watch watch;
    if (progress) watch = [&](const translation::DoneLine& pair) { progress->done(pair); };
    counts = scorer.run(
        source, [&] { return reader.ready(); }, [&](const translation::PairScore& score) { writer.take(score); },
        watch);
    if (!settings.summary) writer.finish();
  } catch (const Interrupted& stop) {
    throw writer.stopped(stop.signal);
  } catch (...) {
    writer.fail_with_scores();
  }
  if (settings.summary) writer.finish_with(counts);
  reader.warn();
  report(counts, core::seconds_now() - started);
  if (settings.strict) writer.losses().fail_if_any();
  return counts;
}

}  // namespace ventris::filters
