#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// Connectionist temporal classification (CTC): a path has one symbol for each position, a token or the blank. Its
/// translation is the path without repetitions and blanks. Source: Graves et al. 2006; for translation: Libovicky and
/// Helcl 2018.
namespace ventris::nat {

/// The translation of a path: of equal neighbours, one stays; then blanks go.
std::vector<int32_t> ctc_collapse(std::span<const int32_t> path, int32_t blank);

/// The log-probabilities (nats) of the tokens of a translation and of its end, over all paths. `log_probs` are those of
/// the symbols, [positions, tokens + 1] row by row: first that of the blank, then that of each token of `tokens`. The
/// value of a token is log P(the translation begins with the tokens up to it) - log P(it begins with those before it);
/// that of the end completes the sum to log P(the translation is `tokens`). From a token on that no path reaches, all
/// values are -infinity. Throws std::invalid_argument if the sizes do not fit.
std::vector<float> ctc_token_log_probs(std::span<const float> log_probs, std::span<const int32_t> tokens);

}  // namespace ventris::nat
