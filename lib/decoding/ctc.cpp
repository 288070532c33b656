#include "decoding/ctc.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace ventris::decoding {
namespace {

constexpr double kNothing = -std::numeric_limits<double>::infinity();

/// log(exp(a) + exp(b))
double log_add(double a, double b) {
  if (a < b) std::swap(a, b);
  return b == kNothing ? a : a + std::log1p(std::exp(b - a));
}

/// For each number of positions: the log-probability of the paths that have written a prefix, by their last symbol.
struct Paths {
  explicit Paths(size_t positions) : at_token(positions + 1, kNothing), at_blank(positions + 1, kNothing) {}
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
    double begin = kNothing;
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
    values.push_back(static_cast<float>(begins[k] == kNothing ? kNothing : begins[k] - begins[k - 1]));
  }
  return values;
}

namespace {

/// The best way to each state, position by position. State s of 2 x tokens + 1 is the blank before token s / 2 if s is
/// even, and otherwise the token (s - 1) / 2.
struct BestPaths {
  std::vector<double> scores;  // [states] at the newest position
  std::vector<uint8_t> steps;  // [positions, states]: from how many states before
};

size_t symbol_of(size_t state) { return state % 2 == 0 ? 0 : (state + 1) / 2; }

/// Whether the blank between two tokens may be left out on the way to `state`.
bool may_skip(size_t state, std::span<const int32_t> tokens) {
  return state % 2 == 1 && state >= 3 && tokens[state / 2] != tokens[state / 2 - 1];
}

BestPaths best_paths(std::span<const float> log_probs, std::span<const int32_t> tokens) {
  const size_t width = tokens.size() + 1, states = 2 * tokens.size() + 1;
  BestPaths best{std::vector<double>(states, kNothing), {}};
  for (size_t t = 0; t < log_probs.size() / width; ++t) {
    std::vector<double> next(states, kNothing);
    for (size_t s = 0; s < states; ++s) {
      uint8_t step = 0;
      double from = t == 0 ? (s < 2 ? 0.0 : kNothing) : best.scores[s];
      for (const uint8_t other : {uint8_t{1}, uint8_t{2}}) {
        if (t == 0 || s < other || (other == 2 && !may_skip(s, tokens)) || best.scores[s - other] <= from) continue;
        from = best.scores[s - other];
        step = other;
      }
      next[s] = from + static_cast<double>(log_probs[t * width + symbol_of(s)]);
      best.steps.push_back(step);
    }
    best.scores = std::move(next);
  }
  return best;
}

}  // namespace

std::vector<int32_t> ctc_best_path(std::span<const float> log_probs, std::span<const int32_t> tokens) {
  const BestPaths best = best_paths(log_probs, tokens);
  const size_t states = best.scores.size(), positions = best.steps.size() / states;
  size_t state = states - 1;
  if (states > 1 && best.scores[states - 2] > best.scores[state]) state = states - 2;
  if (best.scores[state] == kNothing) return {};
  std::vector<int32_t> path(positions);
  for (size_t t = positions; t-- > 0;) {
    path[t] = static_cast<int32_t>(symbol_of(state));
    state -= best.steps[t * states + state];
  }
  return path;
}

}  // namespace ventris::decoding
