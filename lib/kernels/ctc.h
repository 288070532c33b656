#pragma once
#include <cstdint>
#include <span>

namespace ventris::kernels {

/// The probability of a target under CTC (Graves et al. 2006, section 4.1): the sum over all paths, which have one
/// symbol at every position and give the target once repeated symbols are one and blanks are dropped. `tokens` are the
/// ids of the target. `log_probs` [positions, tokens.size() + 1] has the log-probability of the blank and then of each
/// token, at every position. Returns -log of the probability, infinity if there is no path. `posteriors`, empty or of
/// the size of log_probs, gets the probability that a path to the target has this symbol at this position (where a
/// token occurs twice, of each occurrence by itself); zeros if there is no path.
double ctc_posteriors(std::span<const float> log_probs, std::span<const int64_t> tokens, std::span<float> posteriors);

}  // namespace ventris::kernels
