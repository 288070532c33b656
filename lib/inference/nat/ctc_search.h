#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// Prefix search: the most probable translations of a CTC model, over the sum of the paths of each.
namespace ventris::nat {

/// The best translations, best first: at most `beam`, and at least one unless a position has no possible symbol.
/// `symbols` are the best symbols of each position and `log_probs` their log-probabilities (nats), both [positions,
/// count] row by row; all other symbols count as impossible, and so do those with -infinity. After each position, the
/// `beam` prefixes whose paths have the largest sum of probabilities are kept. Ties: first what extends the better
/// prefix, then the symbol that comes first, last the prefix itself. Throws std::invalid_argument if the sizes do not
/// fit, or if beam or count is 0; Interrupted after a stop signal (core/process.h). Source: prefix search of Graves
/// 2012, section 7.5, with a limited number of prefixes.
std::vector<std::vector<int32_t>> ctc_prefix_search(std::span<const int32_t> symbols, std::span<const float> log_probs,
                                                    size_t count, int32_t blank, size_t beam);

}  // namespace ventris::nat
