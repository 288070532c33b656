#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "decoding/step_scorer.h"

namespace ventris::decoding {
namespace {

constexpr float kNothing = -std::numeric_limits<float>::infinity();

/// The places of a row among things that are sorted by row, as [first, second).
template <typename Thing>
std::pair<size_t, size_t> places_of(std::span<const Thing> things, size_t row) {
  const auto first = std::ranges::lower_bound(things, static_cast<int32_t>(row), {}, &Thing::row);
  const auto end = std::ranges::upper_bound(things, static_cast<int32_t>(row), {}, &Thing::row);
  return {static_cast<size_t>(first - things.begin()), static_cast<size_t>(end - things.begin())};
}

/// The log-probabilities of the row after penalties; `log_probs` itself if the row has no penalties.
std::span<const float> ranks_of(std::span<const float> log_probs, const StepRequest& request, size_t row,
                                std::vector<float>& memory) {
  const auto [first, end] = penalties_of(request, row);
  if (first == end) return log_probs;
  memory.assign(log_probs.begin(), log_probs.end());
  for (const Penalty& penalty : request.penalties.subspan(first, end - first)) {
    float& rank = memory.at(static_cast<size_t>(penalty.id));
    rank = penalised(rank, penalty.factor);
  }
  return memory;
}

/// The ids that may come next. If a log-probability is NaN, only its id, so that the search notices it.
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

/// Moves the best `count` ids to the front, best first, or all if there are fewer. Returns their number.
size_t sort_best(std::vector<int32_t>& ids, std::span<const float> log_probs, size_t count) {
  const auto better = [&](int32_t a, int32_t b) {
    const float x = log_probs[static_cast<size_t>(a)], y = log_probs[static_cast<size_t>(b)];
    return x > y || (x == y && a < b);
  };
  count = std::min(count, ids.size());
  std::partial_sort(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(count), ids.end(), better);
  return count;
}

/// Keeps the best `count` ids, best first.
void keep_best(std::vector<int32_t>& ids, std::span<const float> log_probs, size_t count) {
  ids.resize(sort_best(ids, log_probs, count));
}

/// The relative probabilities of ids in a draw.
class Weights {
 public:
  Weights(const std::vector<int32_t>& ids, std::span<const float> log_probs, double temperature)
      : log_probs_(log_probs), temperature_(temperature) {
    for (const int32_t id : ids) highest_ = std::max(highest_, log_probs_[static_cast<size_t>(id)]);
  }
  double of(int32_t id) const {
    return std::exp(static_cast<double>(log_probs_[static_cast<size_t>(id)] - highest_) / temperature_);
  }
  std::vector<double> of_all(const std::vector<int32_t>& ids) const {
    std::vector<double> weights(ids.size());
    std::transform(ids.begin(), ids.end(), weights.begin(), [this](int32_t id) { return of(id); });
    return weights;
  }

 private:
  std::span<const float> log_probs_;
  double temperature_;
  float highest_ = kNothing;
};

double sum(const std::vector<double>& weights) { return std::accumulate(weights.begin(), weights.end(), 0.0); }

/// Keeps the fewest best ids whose weights sum to at least `top_p` of the total, best first. Usually these are few, and
/// sorting all ids would take longer than the model does. So ids are sorted only as needed.
void keep_nucleus(std::vector<int32_t>& ids, std::span<const float> log_probs, const Weights& weights, double top_p) {
  const double wanted = top_p * sum(weights.of_all(ids));
  double held = 0;
  size_t kept = 0;
  for (size_t sorted = 64; held < wanted && kept < ids.size(); sorted *= 8) {
    const size_t end = sort_best(ids, log_probs, sorted);
    while (held < wanted && kept < end) held += weights.of(ids[kept++]);
  }
  ids.resize(std::max<size_t>(kept, 1));
}

/// Draws one of the ids; `noise` in [0, 1) determines which.
int32_t draw(std::vector<int32_t> ids, std::span<const float> log_probs, const Sampling& sampling, double noise) {
  if (sampling.top_k > 0) keep_best(ids, log_probs, static_cast<size_t>(sampling.top_k));
  const Weights weights(ids, log_probs, sampling.temperature);
  if (sampling.top_p < 1.0) keep_nucleus(ids, log_probs, weights, sampling.top_p);
  const std::vector<double> of_ids = weights.of_all(ids);
  double left = noise * sum(of_ids);
  size_t chosen = 0;
  for (size_t i = 0; i < ids.size(); ++i) {
    if (of_ids[i] > 0) chosen = i;  // because of rounding, `left` may stay over 0: then the last possible id is chosen
    left -= of_ids[i];
    if (left < 0) break;
  }
  return ids[chosen];
}

}  // namespace

float penalised(float log_prob, float factor) {
  if (std::isinf(factor)) return std::isnan(log_prob) ? log_prob : kNothing;
  return log_prob * factor;
}

void select_continuations(std::span<const float> log_probs, const StepRequest& request, size_t row,
                          std::span<const int32_t> never, int32_t eos, int32_t* ids, float* scores) {
  const auto count = static_cast<size_t>(request.continuations);
  std::fill_n(ids, count, -1);
  std::fill_n(scores, count, kNothing);
  if (!request.forced.empty() && request.forced[row] >= 0) {
    const auto forced = static_cast<size_t>(request.forced[row]);
    if (forced >= log_probs.size()) {
      throw std::invalid_argument("select_continuations: a forced id is outside the vocabulary");
    }
    ids[0] = request.forced[row];
    scores[0] = log_probs[forced];
    return;
  }
  const bool bars_eos = !request.forbid_eos.empty() && request.forbid_eos[row] != 0;
  std::vector<float> memory;
  const std::span<const float> ranks = ranks_of(log_probs, request, row, memory);
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

std::pair<size_t, size_t> penalties_of(const StepRequest& request, size_t row) {
  return places_of(request.penalties, row);
}
std::pair<size_t, size_t> wanted_of(const StepRequest& request, size_t row) { return places_of(request.wanted, row); }

void select_wanted(std::span<const float> log_probs, const StepRequest& request, size_t row, std::span<float> scores) {
  const auto [first, end] = wanted_of(request, row);
  for (size_t i = first; i < end; ++i) {
    const auto id = static_cast<size_t>(request.wanted[i].id);
    if (id >= log_probs.size()) throw std::invalid_argument("select_wanted: an id is outside the vocabulary");
    scores[i] = log_probs[id];
  }
}

}  // namespace ventris::decoding
