#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "alignment/hmm.h"
#include "alignment/likeness.h"
#include "alignment/pair_counts.h"
#include "alignment/sentence_pairs.h"

namespace ventris::alignment {

/// Expected counts of one side. Words and classes beyond the end of a list have the count 0.
struct SideCounts {
  std::vector<uint64_t> linked;   ///< of each word
  std::vector<uint64_t> classes;  ///< linked words of each class
  std::vector<uint64_t> alone;    ///< of each word: how often it had no link
  uint64_t all_alone = 0;         ///< the sum of `alone`
};

/// What is known about two languages: everything that turns words into links. Both directions share the counts, because
/// a link counts as far as both believe in it. Counts are in parts of a link (kLink).
struct AlignmentModel {
  PairCounts words, classes;
  SideCounts source, target;
  /// Of each pair_class(): how much more often its pairs are linked than by chance.
  std::array<float, kPairClasses> ratios = usual_ratios();
  Jumps<float> forward = initial_jumps();   ///< between source words, from one target word to the next
  Jumps<float> backward = initial_jumps();  ///< between target words
};

/// The counts that the model has of one sentence pair itself: 18 bits for the place (target * sources + source) and 14
/// for the count.
using OwnCounts = std::span<const uint32_t>;
inline constexpr int kCountBits = 14;

enum class Stage {
  kModel1,  ///< all positions have the same probability: IBM model 1 of Brown et al. 1993
  kHmm,     ///< hidden Markov models
  kLinking  ///< the same, without counting jumps
};

/// Where the likeness of a pair comes from that is not in the table.
enum class Spelling {
  kQuick,    ///< quick_likeness(): the table has all pairs of these sentences that are spelt alike
  kCompared  ///< Comparison
};

/// The probabilities of the links of a sentence pair, in both directions.
struct Posteriors {
  std::vector<float> forward;   ///< [targets, sources]; rows sum up to 1 - p(no source word)
  std::vector<float> backward;  ///< [sources, targets]; rows sum up to 1 - p(no target word)
};

/// Computes the probabilities of one sentence pair at a time. For use by one thread. Model and pairs must outlive it.
///
/// p(t | s) has a Dirichlet prior for each source word, whose mean is p(t | class of s), and that has a Dirichlet prior
/// for each class, whose mean is p(t) times the ratio of the pair's class:
///   p(t | s) = (c(s, t) + 10 p(t | class of s)) / (c(s) + 10)
///   p(t | class) = (c(class of s, class of t) p(t | class of t) + 10 p(t) ratio) / (c(class of s) + 10)
/// What a sentence pair itself contributed to the counts c is subtracted, as in collapsed Gibbs sampling (and as in
/// Asuncion et al. 2009, "On smoothing and inference for topic models", section 2: CVB0). Otherwise, rare words would
/// believe in the links that they happened to have first.
class PosteriorComputer {
 public:
  PosteriorComputer(const SentencePairs& pairs, const AlignmentModel& model, Stage stage, Spelling spelling)
      : pairs_(pairs), model_(model), stage_(stage), spelling_(spelling) {}

  /// Of a pair that can_have_links(). Valid until the next call.
  const Posteriors& compute(size_t pair, OwnCounts own);

  /// Expected jumps of all sentence pairs so far, forward and backward; of Stage::kHmm.
  const std::array<Jumps<int64_t>, 2>& jumps() const { return jumps_; }
  static constexpr double kJumpUnit = 1 << 20;  ///< they are whole numbers of 1 / kJumpUnit

 private:
  /// What depends on one word of the pair: its numbers and counts.
  struct Place {
    int32_t word, prefix;
    double linked, class_linked;  // c(s), c(class of s)
    double factor, class_factor;  // 1 / (linked + 10), 1 / (class_linked + 10)
    double frequency, share;      // p(t), p(t | class of t)
  };
  using Places = std::vector<Place>;

  void set_places(Places& places, std::span<const int32_t> sentence, const WordTable& words, const SideCounts& counts);
  void set_nulls(HmmInput& input, const Places& places, const WordTable& words, const SideCounts& counts);
  void set_own(OwnCounts own);
  void prefetch(size_t target) const;
  void set_emissions(size_t target);
  void run(const HmmInput& input, const Jumps<float>& jumps, std::vector<float>& probabilities, Jumps<int64_t>& sums);

  const SentencePairs& pairs_;
  const AlignmentModel& model_;
  Stage stage_;
  Spelling spelling_;
  Places sources_, targets_;
  std::vector<uint32_t> own_;  // [targets, sources]
  HmmInput forward_, backward_;
  Posteriors posteriors_;
  Comparison comparison_;
  Hmm hmm_;
  std::array<Jumps<int64_t>, 2> jumps_{};
};

}  // namespace ventris::alignment
