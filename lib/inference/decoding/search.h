#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "architecture/writing.h"
#include "constraints/constraints.h"
#include "decoding/repetition.h"
#include "decoding/step_scorer.h"

namespace ventris::decoding {

/// The maximum beam size, and the maximum number of samples per sentence, so that a typing mistake or a bundle cannot
/// use up the memory. Samples are drawn kLargestBeam at a time.
inline constexpr int32_t kLargestBeam = 256;
inline constexpr int32_t kMostDraws = 1024;
inline constexpr int32_t kMostIterations = 100;  ///< the maximum of SearchOptions::iterations

/// The maximum of hypotheses x tokens of a sentence, to which its memory is proportional.
inline constexpr int64_t kMostPlaces = 1 << 18;

/// Settings of a search. Beam 1 without sampling is greedy search.
struct SearchOptions {
  int32_t beam_size = 1;  ///< hypotheses per sentence (with architecture::Writing::path_positions: beginnings of
                          ///< translations), at most kLargestBeam; ignored with sampling
  int32_t n_best = 1;  ///< results per sentence, at most beam_size; with sampling: samples, at most kMostDraws
  double length_alpha = 1.0;  ///< score = log_prob / length^alpha, length in tokens with eos; 0 = plain log_prob
  int32_t min_length = 0;  ///< minimum number of target tokens, without eos
  double max_length_factor = 3.0;  ///< maximum target tokens: factor x source tokens + 10 (not counting a prefix), and
                                   ///< at most longest_sentence()
  bool log_probs = true;  ///< whether log-probabilities and scores are needed. If not, those of a greedy search token
                          ///< by token are NaN, and it may take less time. Other searches compute them anyway.
  RepetitionOptions repetition = {};
  Sampling sampling = {};
  int64_t longest = 0;  ///< maximum length of source and target, in tokens with eos; 0 = longest_sentence()
  int32_t draws_at_once = kLargestBeam;  ///< samples of a sentence at the same time, at most kLargestBeam; it changes
                                         ///< only memory and speed
  uint64_t seed = 1;  ///< of sampling; each draw is a function of it and Sentence::number
  /// For models that write all tokens at once (architecture::Writing): how often they write a translation, and how many
  /// of its most probable lengths they try, at most kLargestBeam. Then n_best may be as large as the number of lengths.
  int32_t iterations = 1;
  int32_t length_candidates = 1;
};

/// Whether a search token by token computes log-probabilities and scores: see SearchOptions::log_probs.
bool computes_log_probs(const SearchOptions& options);

/// A sentence to translate, as ids.
struct Sentence {
  std::vector<int32_t> source;  ///< with eos if the model needs it
  std::vector<int32_t> prefix;  ///< target tokens the result must start with; usually empty
  uint64_t number = 0;  ///< number of the sentence, so that its samples do not depend on its batch
  /// What its translation must and must not have; null = nothing. Required phrases need a beam search.
  std::shared_ptr<const constraints::Constraints> constraints = nullptr;
  size_t given = 0;  ///< how many tokens of `prefix` only tell the model what to write, such as a language: they cost
                     ///< nothing, and are not in the result, but count in the length that scores are divided by
};

/// The maximum number of rows of a sentence in a scorer. (CTC models have one, and a search with so many hypotheses.)
int32_t most_rows(const SearchOptions& options);

/// The maximum of n_best: the number of hypotheses among which the best are chosen.
int32_t most_results(const SearchOptions& options);

/// The maximum length of source and target with which a sentence stays within kMostPlaces, in tokens with eos; at most
/// SearchOptions::longest and `model_max`, which is ScorerInfo::max_length.
int64_t longest_sentence(const SearchOptions& options, int64_t model_max);

/// The maximum number of target tokens of a sentence, with eos; at most longest_sentence(). A prefix does not count
/// towards the limit of max_length_factor.
int64_t greatest_length(const Sentence& sentence, const SearchOptions& options, int64_t model_max);

/// One finished translation.
struct Hypothesis {
  std::vector<int32_t> ids;  ///< target tokens without bos and eos, including the prefix without what was given
  std::vector<float> token_log_probs;  ///< nats, one per token and one for eos unless truncated; NaN, as are log_prob
                                       ///< and score, if the search does not compute them
  double log_prob = 0;  ///< their sum
  double score = 0;  ///< normalised, including penalties; n-best lists are sorted by it
  bool truncated = false;  ///< cut at the maximum length, without eos
};

/// log_prob / length^alpha, length in tokens with eos (0 counts as 1); alpha 0 = log_prob.
double normalise(double log_prob, int64_t length, double alpha);

/// Translates a batch. Returns the n best hypotheses of each sentence, best first; at least one, and fewer than n if
/// there are no more. Throws std::invalid_argument for invalid options (callers check the user's settings with
/// check()), an empty source, a prefix that is too long or has bos or eos, or required phrases with sampling;
/// ModelError if the model returns NaN; Interrupted at the first step after a stop signal (core/process.h).
///
/// Beam search as in Marian: a finished hypothesis keeps its place in the beam, and the others continue in the
/// remaining places. The search ends when all are finished, when no other can be better than the worst finished one, or
/// at the maximum length, where unfinished hypotheses become truncated results. Ties: the better parent first, then
/// the lower id. With required phrases, the places are shared among banks (constraints/banks.h), eos follows only when
/// all phrases are there, and a token for which the maximum length leaves no room beside them is not chosen. If they
/// cannot be met, the results have as many of them as possible. Repetition penalties apply wherever hypotheses are
/// compared or drawn, but never to forced tokens. The result of a sentence does not depend on the other sentences.
/// Sentences that are done have no more rows.
std::vector<std::vector<Hypothesis>> search(StepScorer& scorer, std::span<const Sentence> sentences,
                                            const SearchOptions& options);

/// Throws ConfigError with the name of the setting if an option is invalid.
void check(const SearchOptions& options);

/// Throws ConfigError if a model that writes in this way does not take the options, which are valid otherwise. The
/// message says what would work.
void check(const SearchOptions& options, const architecture::Writing& writing);

}  // namespace ventris::decoding
