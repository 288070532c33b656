#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "decoding/repetition.h"
#include "decoding/step_scorer.h"

namespace ventris::decoding {

/// Greatest beam, and greatest number of draws of a sentence: a slip of the finger, or what a bundle says, must not eat
/// the memory. Draws are made kLargestBeam at a time.
inline constexpr int32_t kLargestBeam = 256;
inline constexpr int32_t kMostDraws = 1024;

/// Most places of a sentence, hypotheses x tokens: what memory grows with.
inline constexpr int64_t kMostPlaces = 1 << 18;

/// Settings of a search. Beam 1 without sampling is greedy search.
struct SearchOptions {
  int32_t beam_size = 1;  ///< hypotheses kept a sentence, at most kLargestBeam; with sampling: ignored
  int32_t n_best = 1;  ///< results a sentence, at most beam_size (beam) or kMostDraws (sampling: draws)
  double length_alpha = 1.0;  ///< score = log_prob / length^alpha, length in tokens with eos; 0 = plain log_prob
  int32_t min_length = 0;  ///< fewest target tokens before eos
  double max_length_factor = 3.0;  ///< most target tokens: factor x source tokens + 10 (a prefix not counted), and
                                   ///< never over longest_sentence()
  RepetitionOptions repetition;
  Sampling sampling;
  uint64_t seed = 1;  ///< decides all draws, together with Sentence::number
};

/// What to translate: ids only.
struct Sentence {
  std::vector<int32_t> source;  ///< ready for the model
  std::vector<int32_t> prefix;  ///< target tokens the result must start with; usually empty
  uint64_t number = 0;  ///< names the sentence in the draws of sampling, so neighbours change nothing
};

/// Rows that a sentence has in a scorer at most.
int32_t most_rows(const SearchOptions& options);

/// Longest source and target that leave a sentence no more than kMostPlaces, in tokens, eos included; at most
/// `model_max`, which is ScorerInfo::max_length.
int64_t longest_sentence(const SearchOptions& options, int64_t model_max);

/// Most target tokens of a sentence, eos included, and never over longest_sentence(); a prefix gets as much room after
/// it as there would be without.
int64_t greatest_length(const Sentence& sentence, const SearchOptions& options, int64_t model_max);

/// One finished translation.
struct Hypothesis {
  std::vector<int32_t> ids;  ///< target tokens without bos and eos, prefix included
  std::vector<float> token_log_probs;  ///< nats, one a token and one for eos unless truncated
  double log_prob = 0;  ///< their sum
  double score = 0;  ///< normalised, penalties included; what n-best is sorted by
  bool truncated = false;  ///< cut at the maximum length: no eos
};

/// log_prob / length^alpha, length in tokens with eos (0 counts as 1); alpha 0 = log_prob.
double normalise(double log_prob, int64_t length, double alpha);

/// Translates a batch: for each sentence its n best hypotheses, best first; at least one, fewer than n if there are no
/// more. Throws std::invalid_argument on senseless options (the caller checks the user's settings with check()), an
/// empty source, or a prefix that is too long or holds bos or eos; ModelError if the model gives a score that is not a
/// number; Interrupted at the first step after a stop signal (core/process.h).
///
/// Beam search as in Marian: a finished hypothesis keeps its place in the beam, the others go on in the places left,
/// until all are finished, none can beat the worst kept one any more, or the maximum length is reached: what is under
/// way then is a truncated result. Equal scores: the better parent first, then the lower id. What the search is told
/// against repetition counts wherever hypotheses are compared or drawn, but forced tokens are never penalised. A
/// sentence's result depends on nothing but itself, and sentences that are done send no more rows.
std::vector<std::vector<Hypothesis>> search(StepScorer& scorer, std::span<const Sentence> sentences,
                                            const SearchOptions& options);

/// Throws ConfigError naming the setting if the options make no sense.
void check(const SearchOptions& options);

}  // namespace ventris::decoding
