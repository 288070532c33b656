#include "lexicon/ibm_model1.h"

#include <algorithm>
#include <memory>
#include <span>

#include "core/parallel.h"
#include "core/process.h"
#include "core/progress.h"

namespace ventris::lexicon {
namespace {

/// The pairs in which each source id occurs, ascending; a pair is there as often as the id is in its source.
class Occurrences {
 public:
  Occurrences(const data::ParallelCorpus& corpus, int64_t vocab) : ends_(static_cast<size_t>(vocab) + 1) {
    const auto pairs = static_cast<uint32_t>(corpus.size());
    for (uint32_t pair = 0; pair < pairs; ++pair) {
      for (const int32_t id : corpus.source(pair)) ++ends_[static_cast<size_t>(id) + 1];
    }
    for (size_t id = 1; id < ends_.size(); ++id) ends_[id] += ends_[id - 1];
    pairs_.resize(ends_.back());
    std::vector<uint64_t> next = ends_;
    for (uint32_t pair = 0; pair < pairs; ++pair) {
      for (const int32_t id : corpus.source(pair)) pairs_[next[static_cast<size_t>(id)]++] = pair;
    }
    all_.resize(pairs);
    for (uint32_t pair = 0; pair < pairs; ++pair) all_[pair] = pair;
  }

  /// Of a source id, or of the null word after the last one.
  std::span<const uint32_t> of(size_t row) const {
    if (row + 1 == ends_.size()) return all_;
    return std::span(pairs_).subspan(ends_[row], ends_[row + 1] - ends_[row]);
  }

  /// The same, only the pairs [first, end).
  std::span<const uint32_t> of(size_t row, uint32_t first, uint32_t end) const {
    const std::span<const uint32_t> found = of(row);
    const auto begin = std::ranges::lower_bound(found, first), stop = std::ranges::lower_bound(begin, found.end(), end);
    return {begin, stop};
  }

 private:
  std::vector<uint64_t> ends_;
  std::vector<uint32_t> pairs_, all_;
};

/// A row of the table, with a place for every target. Of one thread.
class WideRow {
 public:
  explicit WideRow(int64_t vocab) : probabilities_(static_cast<size_t>(vocab)) {}
  void put(const std::vector<PieceTranslation>& row) {
    for (const PieceTranslation& one : row) probabilities_[static_cast<size_t>(one.target)] = one.probability;
  }
  void remove(const std::vector<PieceTranslation>& row) {
    for (const PieceTranslation& one : row) probabilities_[static_cast<size_t>(one.target)] = 0;
  }
  float of(int32_t target) const { return probabilities_[static_cast<size_t>(target)]; }

 private:
  std::vector<float> probabilities_;
};

/// Expected counts of the targets of one row. Of one thread.
class Counts {
 public:
  explicit Counts(int64_t vocab) : counts_(static_cast<size_t>(vocab)) {}

  void add(int32_t target, double count) {
    double& sum = counts_[static_cast<size_t>(target)];
    if (sum == 0) found_.push_back(target);
    sum += count;
  }

  /// The counts as probabilities, without the least probable ones; afterwards all counts are 0.
  std::vector<PieceTranslation> take(const IbmModel1Options& options) {
    double total = 0;
    for (const int32_t target : found_) total += counts_[static_cast<size_t>(target)];
    std::vector<PieceTranslation> row;
    for (const int32_t target : found_) {
      double& count = counts_[static_cast<size_t>(target)];
      const auto probability = static_cast<float>(count / total);
      if (probability >= options.least) row.push_back({target, probability});
      count = 0;
    }
    found_.clear();
    keep_best(row, options.most_targets);
    return row;
  }

 private:
  static void keep_best(std::vector<PieceTranslation>& row, size_t most) {
    if (row.size() > most) {
      const auto better = [](const PieceTranslation& a, const PieceTranslation& b) {
        return a.probability != b.probability ? a.probability > b.probability : a.target < b.target;
      };
      std::nth_element(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(most), row.end(), better);
      row.resize(most);
    }
    std::ranges::sort(row, {}, &PieceTranslation::target);
    row.shrink_to_fit();
  }

  std::vector<double> counts_;
  std::vector<int32_t> found_;  // targets with a count
};

/// Both steps go through the rows of the table, not through the pairs. A row then needs no search for its targets, and
/// every sum has the same order for any number of threads.
class Estimation {
 public:
  Estimation(const data::ParallelCorpus& corpus, int64_t source_vocab, int64_t target_vocab,
             const IbmModel1Options& options)
      : corpus_(corpus),
        options_(options),
        target_vocab_(target_vocab),
        occurrences_(corpus, source_vocab),
        sums_(static_cast<size_t>(corpus.summary().target_tokens)),
        table_(static_cast<size_t>(source_vocab) + 1) {}

  TranslationTable run() {
    core::Progress progress("learning the lexicon", "", static_cast<double>(table_.size()) * (2 * options_.iterations));
    for (int i = 0; i < options_.iterations; ++i) {
      i == 0 ? start() : add_up(progress);
      estimate(progress);
    }
    return std::move(table_);
  }

 private:
  /// The place in sums_ of the first target token of a pair.
  float* sums(uint32_t pair) { return sums_.data() + (corpus_.target(pair).data() - corpus_.target(0).data()); }

  /// With uniform probabilities, each source token has the same part in a target token.
  void start() {
    for (uint32_t pair = 0; pair < corpus_.size(); ++pair) {
      std::fill_n(sums(pair), corpus_.target(pair).size(), static_cast<float>(corpus_.source(pair).size() + 1));
    }
  }

  /// sums_ = for each target token, the sum of t(target | source) over the source. Each thread has its own pairs.
  void add_up(core::Progress& progress) {
    std::ranges::fill(sums_, 0.0F);
    const auto parts = static_cast<size_t>(options_.threads);
    core::parallel_for(parts, options_.threads, [&](size_t part, int) {
      const auto first = static_cast<uint32_t>(corpus_.size() * part / parts);
      const auto end = static_cast<uint32_t>(corpus_.size() * (part + 1) / parts);
      WideRow wide(target_vocab_);
      for (size_t row = 0; row < table_.size(); ++row) {
        core::throw_if_stopped("learning the lexicon");
        add_row(row, occurrences_.of(row, first, end), wide);
        progress.add(1.0 / static_cast<double>(parts));
      }
    });
  }

  void add_row(size_t row, std::span<const uint32_t> pairs, WideRow& wide) {
    if (pairs.empty()) return;
    wide.put(table_[row]);
    for (const uint32_t pair : pairs) {
      float* sum = sums(pair);
      for (const int32_t target : corpus_.target(pair)) *sum++ += wide.of(target);
    }
    wide.remove(table_[row]);
  }

  /// The table of the next iteration, from expected counts.
  void estimate(core::Progress& progress) {
    std::vector<Counts> counts(static_cast<size_t>(options_.threads), Counts(target_vocab_));
    std::vector<WideRow> wide(counts.size(), WideRow(target_vocab_));
    const bool uniform = !estimated_;
    core::parallel_for(table_.size(), options_.threads, [&](size_t row, int worker) {
      core::throw_if_stopped("learning the lexicon");
      const auto at = static_cast<size_t>(worker);
      wide[at].put(table_[row]);
      for (const uint32_t pair : occurrences_.of(row)) {
        const float* sum = sums(pair);
        for (const int32_t target : corpus_.target(pair)) {
          const float probability = uniform ? 1.0F : wide[at].of(target), whole = *sum++;
          if (probability > 0) counts[at].add(target, static_cast<double>(probability) / static_cast<double>(whole));
        }
      }
      wide[at].remove(table_[row]);
      table_[row] = counts[at].take(options_);
      progress.add();
    });
    estimated_ = true;
  }

  const data::ParallelCorpus& corpus_;
  const IbmModel1Options& options_;
  int64_t target_vocab_;
  Occurrences occurrences_;
  std::vector<float> sums_;  // of each target token
  TranslationTable table_;
  bool estimated_ = false;
};

}  // namespace

TranslationTable learn_ibm_model1(const data::ParallelCorpus& corpus, int64_t source_vocab, int64_t target_vocab,
                                  const IbmModel1Options& options) {
  return Estimation(corpus, source_vocab, target_vocab, options).run();
}

}  // namespace ventris::lexicon
