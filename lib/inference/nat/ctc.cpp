#include "nat/ctc.h"

#include <stdexcept>
#include <utility>

#include "nat/log_add.h"

namespace ventris::nat {
namespace {

/// For each number of positions: the log-probability of the paths that have written a prefix, by their last symbol.
struct Paths {
  explicit Paths(size_t positions) : at_token(positions + 1, kImpossible), at_blank(positions + 1, kImpossible) {}
  std::vector<double> at_token, at_blank;
};

}  // namespace

std::vector<int32_t> ctc_collapse(std::span<const int32_t> path, int32_t blank) {
  std::vector<int32_t> tokens;
  for (size_t i = 0; i < path.size(); ++i) {
    if (path[i] != blank && (i == 0 || path[i] != path[i - 1])) tokens.push_back(path[i]);
  }
  return tokens;
}

/// Source of the recursion over prefixes: Graves 2012, section 7.5 (prefix search decoding).
std::vector<float> ctc_token_log_probs(std::span<const float> log_probs, std::span<const int32_t> tokens) {
  const size_t width = tokens.size() + 1, positions = log_probs.size() / width;
  if (positions * width != log_probs.size()) throw std::invalid_argument("ctc_token_log_probs: sizes do not fit");
  const auto of = [&](size_t position, size_t symbol) {
    return static_cast<double>(log_probs[(position - 1) * width + symbol]);  // position from 1; symbol 0 = blank
  };
  Paths before(positions);
  before.at_blank[0] = 0;
  for (size_t t = 1; t <= positions; ++t) before.at_blank[t] = before.at_blank[t - 1] + of(t, 0);
  std::vector<double> begins{0};  // log P(the translation begins with the first k tokens)
  for (size_t k = 1; k < width; ++k) {
    const bool repeats = k > 1 && tokens[k - 1] == tokens[k - 2];  // then a blank must stand between the two
    Paths now(positions);
    double begin = kImpossible;
    for (size_t t = 1; t <= positions; ++t) {
      const double reaches = repeats ? before.at_blank[t - 1] : log_add(before.at_blank[t - 1], before.at_token[t - 1]);
      const double first = reaches + of(t, k);
      begin = log_add(begin, first);
      now.at_token[t] = log_add(first, now.at_token[t - 1] + of(t, k));
      now.at_blank[t] = log_add(now.at_blank[t - 1], now.at_token[t - 1]) + of(t, 0);
    }
    begins.push_back(begin);
    before = std::move(now);
  }
  begins.push_back(log_add(before.at_blank[positions], before.at_token[positions]));
  std::vector<float> values;
  for (size_t k = 1; k < begins.size(); ++k) {
    values.push_back(static_cast<float>(begins[k] == kImpossible ? kImpossible : begins[k] - begins[k - 1]));
  }
  return values;
}

}  // namespace ventris::nat
