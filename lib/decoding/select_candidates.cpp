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

/// The row's log-probabilities as they count; `log_probs` itself if nothing speaks against any.
std::span<const float> ranks_of(std::span<const float> log_probs, std::span<const Penalty> penalties, size_t row,
                                std::vector<float>& memory) {
  const auto before = [row](const Penalty& penalty) { return static_cast<size_t>(penalty.row) < row; };
  auto penalty = std::partition_point(penalties.begin(), penalties.end(), before);
  if (penalty == penalties.end() || static_cast<size_t>(penalty->row) != row) return log_probs;
  memory.assign(log_probs.begin(), log_probs.end());
  for (; penalty != penalties.end() && static_cast<size_t>(penalty->row) == row; ++penalty) {
    float& rank = memory.at(static_cast<size_t>(penalty->id));
    rank = penalised(rank, penalty->factor);
  }
  return memory;
}

/// Ids that may come next; only the id of a score that is not a number if there is one, so that the search can tell.
std::vector<int32_t> possible_ids(std::span<const float> log_probs, std::span<const int32_t> never, int32_t barred) {
  std::vector<int32_t> ids;
  ids.reserve(log_probs.size());
  for (size_t i = 0; i < log_probs.size(); ++i) {
    const auto id = static_cast<int32_t>(i);
    if (std::isnan(log_probs[i])) return {id};
    const bool excluded = id == barred || std::find(never.begin(), never.end(), id) != never.end();
    if (log_probs[i] > kNothing && !excluded) ids.push_back(id);
  }
  return ids;
}

/// Puts the best `count` in front, best first, and drops the rest.
void keep_best(std::vector<int32_t>& ids, std::span<const float> log_probs, size_t count) {
  const auto better = [&](int32_t a, int32_t b) {
    const float x = log_probs[static_cast<size_t>(a)], y = log_probs[static_cast<size_t>(b)];
    return x > y || (x == y && a < b);
  };
  count = std::min(count, ids.size());
  std::partial_sort(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(count), ids.end(), better);
  ids.resize(count);
}

/// How many of the weights, which are sorted, it takes to hold the share `top_p` of their sum.
size_t nucleus_size(const std::vector<double>& weights, double top_p) {
  const double wanted = top_p * std::accumulate(weights.begin(), weights.end(), 0.0);
  double held = 0;
  for (size_t i = 0; i < weights.size(); ++i) {
    held += weights[i];
    if (held >= wanted) return i + 1;
  }
  return weights.size();
}

/// One of the ids, at random: `noise` in [0, 1) decides.
int32_t draw(std::vector<int32_t> ids, std::span<const float> log_probs, const Sampling& sampling, double noise) {
  const bool cut = sampling.top_k > 0 || sampling.top_p < 1.0;
  if (cut) keep_best(ids, log_probs, sampling.top_k > 0 ? static_cast<size_t>(sampling.top_k) : ids.size());
  float highest = kNothing;
  for (const int32_t id : ids) highest = std::max(highest, log_probs[static_cast<size_t>(id)]);
  std::vector<double> weights;
  for (const int32_t id : ids) {
    const auto below = static_cast<double>(log_probs[static_cast<size_t>(id)] - highest);
    weights.push_back(std::exp(below / sampling.temperature));
  }
  if (sampling.top_p < 1.0) weights.resize(nucleus_size(weights, sampling.top_p));
  double left = noise * std::accumulate(weights.begin(), weights.end(), 0.0);
  size_t chosen = 0;
  for (size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] > 0) chosen = i;  // rounding may leave something over at the end: the last possible one then
    left -= weights[i];
    if (left < 0) break;
  }
  return ids[chosen];
}

}  // namespace

float penalised(float log_prob, float factor) {
  if (std::isinf(factor)) return std::isnan(log_prob) ? log_prob : kNothing;
  return log_prob * factor;
}

void select_candidates(std::span<const float> log_probs, const StepRequest& request, size_t row,
                       std::span<const int32_t> never, int32_t eos, int32_t* ids, float* scores) {
  const auto count = static_cast<size_t>(request.candidates);
  std::fill_n(ids, count, -1);
  std::fill_n(scores, count, kNothing);
  if (!request.forced.empty() && request.forced[row] >= 0) {
    const auto forced = static_cast<size_t>(request.forced[row]);
    if (forced >= log_probs.size()) {
      throw std::invalid_argument("select_candidates: a forced id is outside the vocabulary");
    }
    ids[0] = request.forced[row];
    scores[0] = log_probs[forced];
    return;
  }
  const bool bars_eos = !request.forbid_eos.empty() && request.forbid_eos[row] != 0;
  std::vector<float> memory;
  const std::span<const float> ranks = ranks_of(log_probs, request.penalties, row, memory);
  std::vector<int32_t> chosen = possible_ids(ranks, never, bars_eos ? eos : -1);
  if (request.sampling.enabled && chosen.size() > 1) {
    chosen = {draw(std::move(chosen), ranks, request.sampling, request.noise[row])};
  }
  keep_best(chosen, ranks, count);
  for (size_t i = 0; i < chosen.size(); ++i) {
    ids[i] = chosen[i];
    scores[i] = log_probs[static_cast<size_t>(chosen[i])];
  }
}

}  // namespace ventris::decoding
