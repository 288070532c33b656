#include "kernels/ctc_kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace ventris::kernels {
namespace {

constexpr double kNothing = -std::numeric_limits<double>::infinity();

/// log(exp(a) + exp(b))
double log_add(double a, double b) {
  if (a < b) std::swap(a, b);
  return b == kNothing ? a : a + std::log1p(std::exp(b - a));
}

/// State s of 2 x tokens + 1 is the blank before token s / 2 if s is even, and otherwise the token (s - 1) / 2. A path
/// stays in a state, goes to the next one, or leaves out the blank between two different tokens.
class Lattice {
 public:
  Lattice(std::span<const float> log_probs, std::span<const int64_t> tokens)
      : width(tokens.size() + 1), positions(log_probs.size() / width), log_probs_(log_probs), tokens_(tokens) {}

  const size_t width, positions;

  size_t states() const { return 2 * tokens_.size() + 1; }
  static size_t symbol(size_t state) { return state % 2 == 0 ? 0 : (state + 1) / 2; }
  /// Whether a path may go from `state - 2` to `state`.
  bool may_skip(size_t state) const {
    return state % 2 == 1 && state >= 3 && tokens_[state / 2] != tokens_[state / 2 - 1];
  }
  double log_prob(size_t position, size_t state) const {
    return static_cast<double>(log_probs_[position * width + symbol(state)]);
  }
  /// The states that a path can be in at a position: [first, last).
  size_t first(size_t position) const {
    const size_t left = 2 * (positions - position);  // at most 2 states further at each position
    return states() > left ? states() - left : 0;
  }
  size_t last(size_t position) const { return std::min(states(), 2 * position + 2); }

 private:
  std::span<const float> log_probs_;
  std::span<const int64_t> tokens_;
};

/// For each position and state [positions, states], the log-probability of all ways to it, itself included.
std::vector<double> forward(const Lattice& lattice) {
  const size_t states = lattice.states();
  std::vector<double> ways(lattice.positions * states, kNothing);
  for (size_t t = 0; t < lattice.positions; ++t) {
    const double* before = t == 0 ? nullptr : ways.data() + (t - 1) * states;
    for (size_t s = lattice.first(t); s < lattice.last(t); ++s) {
      double sum = before == nullptr ? 0 : before[s];
      if (before != nullptr && s >= 1) sum = log_add(sum, before[s - 1]);
      if (before != nullptr && lattice.may_skip(s)) sum = log_add(sum, before[s - 2]);
      if (sum != kNothing) ways[t * states + s] = sum + lattice.log_prob(t, s);
    }
  }
  return ways;
}

/// One step of the way back: from the log-probability of all ways from each state at position t + 1 to the end, to that
/// of all ways after position t. `next` [states] is overwritten.
void step_back(const Lattice& lattice, size_t t, std::vector<double>& next, std::vector<double>& now) {
  const size_t states = lattice.states();
  for (size_t s = 0; s < states; ++s) next[s] += lattice.log_prob(t + 1, s);
  for (size_t s = 0; s < states; ++s) {
    now[s] = next[s];
    if (s + 1 < states) now[s] = log_add(now[s], next[s + 1]);
    if (s + 2 < states && lattice.may_skip(s + 2)) now[s] = log_add(now[s], next[s + 2]);
  }
  std::swap(next, now);
}

/// For each position and state, from how many states before its best way comes: [positions, states]. `best` [states]
/// becomes the log-probabilities of the best ways to the end.
std::vector<uint8_t> best_steps(const Lattice& lattice, std::vector<double>& best) {
  const size_t states = lattice.states();
  std::vector<uint8_t> steps(lattice.positions * states, 0);
  std::vector<double> next(states);
  for (size_t t = 0; t < lattice.positions; ++t) {
    std::ranges::fill(next, kNothing);
    for (size_t s = lattice.first(t); s < lattice.last(t); ++s) {
      double from = t == 0 ? 0 : best[s];
      for (const uint8_t step : {uint8_t{1}, uint8_t{2}}) {
        if (t == 0 || s < step || (step == 2 && !lattice.may_skip(s)) || best[s - step] <= from) continue;
        from = best[s - step];
        steps[t * states + s] = step;
      }
      next[s] = from + lattice.log_prob(t, s);
    }
    std::swap(best, next);
  }
  return steps;
}

}  // namespace

double ctc_posteriors(std::span<const float> log_probs, std::span<const int64_t> tokens, std::span<float> posteriors) {
  const Lattice lattice(log_probs, tokens);
  if (lattice.positions == 0 || lattice.positions * lattice.width != log_probs.size() ||
      (!posteriors.empty() && posteriors.size() != log_probs.size())) {
    throw std::invalid_argument("ctc_posteriors: sizes do not fit");
  }
  const size_t states = lattice.states();
  const std::vector<double> ways = forward(lattice);
  const double* end = ways.data() + (lattice.positions - 1) * states;
  const double total = states > 1 ? log_add(end[states - 1], end[states - 2]) : end[0];
  std::ranges::fill(posteriors, 0.0F);
  if (total == kNothing || posteriors.empty()) return -total;
  std::vector<double> after(states, kNothing), memory(states);
  after[states - 1] = 0;
  if (states > 1) after[states - 2] = 0;
  for (size_t t = lattice.positions; t-- > 0;) {
    for (size_t s = lattice.first(t); s < lattice.last(t); ++s) {
      const double way = ways[t * states + s] + after[s];
      if (way == kNothing) continue;
      posteriors[t * lattice.width + Lattice::symbol(s)] += static_cast<float>(std::exp(way - total));
    }
    if (t > 0) step_back(lattice, t - 1, after, memory);
  }
  return -total;
}

std::vector<int32_t> ctc_best_path(std::span<const float> log_probs, std::span<const int64_t> tokens) {
  const Lattice lattice(log_probs, tokens);
  if (lattice.positions == 0 || lattice.positions * lattice.width != log_probs.size()) {
    throw std::invalid_argument("ctc_best_path: sizes do not fit");
  }
  const size_t states = lattice.states();
  std::vector<double> best(states, kNothing);
  const std::vector<uint8_t> steps = best_steps(lattice, best);
  size_t state = states - 1;
  if (states > 1 && best[states - 2] > best[state]) state = states - 2;
  if (best[state] == kNothing) return {};
  std::vector<int32_t> path(lattice.positions);
  for (size_t t = lattice.positions; t-- > 0;) {
    path[t] = static_cast<int32_t>(Lattice::symbol(state));
    state -= steps[t * states + state];
  }
  return path;
}

}  // namespace ventris::kernels
