#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace ventris::kernels {

/// The probability of a target under CTC (Graves et al. 2006, section 4.1): the sum over all paths, which have one
/// symbol at every position and give the target once repeated symbols are one and blanks are dropped. `tokens` are the
/// ids of the target. `log_probs` [positions, tokens.size() + 1] has the log-probability of the blank and then of each
/// token, at every position. Returns -log of the probability, infinity if there is no path. `posteriors`, empty or of
/// the size of log_probs, gets the probability that a path to the target has this symbol at this position (where a
/// token occurs twice, of each occurrence by itself); zeros if there is no path.
double ctc_posteriors(std::span<const float> log_probs, std::span<const int64_t> tokens, std::span<float> posteriors);

/// The most probable path to a target, as numbers of symbols: 0 = the blank, k + 1 = token k. `log_probs` as above, but
/// at each position all of them may be larger by the same number. Ties: the symbol that comes later. Empty if there is
/// no path. Throws std::invalid_argument if the sizes do not fit.
std::vector<int32_t> ctc_best_path(std::span<const float> log_probs, std::span<const int64_t> tokens);

}  // namespace ventris::kernels
