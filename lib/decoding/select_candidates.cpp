#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "decoding/step_scorer.h"

namespace ventris::decoding {
namespace {

constexpr float kNothing = -std::numeric_limits<float>::infinity();

/// Allowed ids, best first; equal scores by id. `most` = 0: all of them.
std::vector<int32_t> best_ids(std::span<const float> log_probs, std::span<const int32_t> never, bool eos_forbidden, int32_t eos,
                              size_t most) {
  std::vector<int32_t> ids;
  ids.reserve(log_probs.size());
  for (int32_t id = 0; id < static_cast<int32_t>(log_probs.size()); ++id) {
    const bool forbidden = std::find(never.begin(), never.end(), id) != never.end() || (eos_forbidden && id == eos);
    if (!forbidden && log_probs[static_cast<size_t>(id)] > kNothing) ids.push_back(id);
  }
  const size_t wanted = most == 0 ? ids.size() : std::min(most, ids.size());
  const auto better = [&](int32_t a, int32_t b) {
    const float x = log_probs[static_cast<size_t>(a)], y = log_probs[static_cast<size_t>(b)];
    return x > y || (x == y && a < b);
  };
  std::partial_sort(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(wanted), ids.end(), better);
  ids.resize(wanted);
  return ids;
}

/// The id that `noise` in [0, 1) points at, when the ids are laid out by their tempered probabilities.
int32_t draw(std::span<const float> log_probs, const std::vector<int32_t>& ids, const Sampling& sampling, double noise) {
  std::vector<double> weights;
  double total = 0;
  const double best = log_probs[static_cast<size_t>(ids.front())];
  for (const int32_t id : ids) {
    weights.push_back(std::exp((log_probs[static_cast<size_t>(id)] - best) / sampling.temperature));
    total += weights.back();
  }
  size_t kept = weights.size();
  if (sampling.top_p < 1.0) {
    double sum = 0;
    for (kept = 0; kept < weights.size() && sum < sampling.top_p * total; ++kept) sum += weights[kept];
    total = sum;
  }
  double left = noise * total;
  for (size_t i = 0; i + 1 < kept; ++i) {
    left -= weights[i];
    if (left < 0) return ids[i];
  }
  return ids[kept - 1];
}

}  // namespace

void select_candidates(std::span<const float> log_probs, const StepRequest& request, size_t row, std::span<const int32_t> never,
                       int32_t eos, int32_t* ids, float* scores) {
  std::fill_n(ids, request.candidates, -1);
  std::fill_n(scores, request.candidates, kNothing);
  if (request.candidates < 1) return;
  if (!request.forced.empty() && request.forced[row] >= 0) {
    ids[0] = request.forced[row];
    scores[0] = log_probs[static_cast<size_t>(ids[0])];
    return;
  }
  const bool eos_forbidden = !request.forbid_eos.empty() && request.forbid_eos[row] != 0;
  const Sampling& sampling = request.sampling;
  const size_t most = sampling.enabled ? static_cast<size_t>(sampling.top_k) : static_cast<size_t>(request.candidates);
  std::vector<int32_t> best = best_ids(log_probs, never, eos_forbidden, eos, most);
  if (best.empty()) return;
  if (sampling.enabled) best = {draw(log_probs, best, sampling, request.noise[row])};
  for (size_t i = 0; i < best.size(); ++i) {
    ids[i] = best[i];
    scores[i] = log_probs[static_cast<size_t>(best[i])];
  }
}

}  // namespace ventris::decoding
