#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "decoding/search.h"

/// What decoders of models that write all tokens at once have in common: the choices, without tensors.
namespace ventris::nat {

/// A length that a model may give a translation, in tokens without eos.
struct LengthCandidate {
  int64_t length = 1;
  float log_prob = 0;  ///< nats
};

/// The best lengths for a source with `src_len` tokens, best first, at most `count` and at least one. `log_probs` are
/// those of the differences -range to range between target and source length. Lengths from 1 to `most` are allowed; if
/// none of them has a class, the nearest one is taken. Ties: the shorter length first. Throws ModelError for scores
/// that are not numbers.
std::vector<LengthCandidate> best_lengths(std::span<const float> log_probs, int64_t src_len, int64_t most,
                                          int32_t count);

/// The class of a length: its difference, at most `range` in size, plus `range`.
int64_t length_class(int64_t length, int64_t src_len, int64_t range);

/// The positions of the `count` least probable tokens, ascending; ties: the first position. At most all positions.
std::vector<size_t> least_sure(std::span<const float> log_probs, size_t count);

/// How many of `length` tokens are hidden before pass `pass` (from 0) of `passes`: length x (passes - pass) / passes,
/// rounded down. Source: Ghazvininejad et al. 2019, section 3.
size_t hidden_tokens(size_t length, int32_t pass, int32_t passes);

/// What a model wrote for a sentence.
struct Draft {
  std::vector<int32_t> ids;      ///< without eos
  std::vector<float> log_probs;  ///< nats, one per token, and one for the end if it `ends`
  bool ends = true;              ///< false = there was no eos
};

/// The tokens before the first eos, with their log-probabilities and that of this eos. Both have one entry per
/// position.
Draft up_to_eos(std::span<const int32_t> ids, std::span<const float> log_probs, int32_t eos);

/// The result of a draft. It is cut to `most` tokens with eos. Throws ModelError for scores that are not numbers.
decoding::Hypothesis hypothesis_of(Draft draft, int64_t most, const decoding::SearchOptions& options);

/// Sorts hypotheses by score, keeps the first of those with the same tokens, and at most `n_best`.
void keep_best(std::vector<decoding::Hypothesis>& hypotheses, int32_t n_best);

}  // namespace ventris::nat
