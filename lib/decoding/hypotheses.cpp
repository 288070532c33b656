#include "decoding/hypotheses.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <tuple>

#include "core/error.h"
#include "core/random.h"

namespace ventris::decoding {

Hypotheses::Hypotheses(const Sentence& sentence, const SearchOptions& options, int64_t max_length)
    : sentence_(sentence), options_(options), max_length_(max_length) {}

void Hypotheses::start(int32_t row, int32_t first_draw) {
  const int32_t draws = options_.sampling.enabled ? options_.n_best : 1;
  for (int32_t draw = 0; draw < draws; ++draw) live_.push_back({row, -1, first_draw + draw});
}

int32_t Hypotheses::last_id(const Live& hypothesis, int32_t bos) const {
  return hypothesis.node < 0 ? bos : trellis_[static_cast<size_t>(hypothesis.node)].id;
}

int32_t Hypotheses::forced_id() const {
  const auto position = static_cast<size_t>(length_);
  return position < sentence_.prefix.size() ? sentence_.prefix[position] : -1;
}

bool Hypotheses::forbids_eos() const { return length_ < options_.min_length; }

void Hypotheses::penalise(Live& hypothesis) const {
  hypothesis.penalties.clear();
  if (!options_.repetition.any() || forced_id() >= 0) return;
  hypothesis.penalties = repetition_penalties(ids_up_to(hypothesis.node), options_.repetition);
}

double Hypotheses::noise(const Live& hypothesis) const {
  const uint64_t seed = core::derive_seed(options_.seed, sentence_.number, static_cast<uint64_t>(hypothesis.draw));
  return core::RandomStream(seed, 0).uniform(static_cast<uint64_t>(length_));
}

size_t Hypotheses::places() const {
  const int32_t all = options_.sampling.enabled ? options_.n_best : options_.beam_size;
  return static_cast<size_t>(all) - finished_.size();
}

void Hypotheses::extend(const Continuations& next, size_t width, int32_t eos) {
  pool(next, width, options_.sampling.enabled ? 1 : places());  // with sampling, one per sample
  if (!options_.sampling.enabled) {
    std::sort(pooled_.begin(), pooled_.end(), [](const Continuation& a, const Continuation& b) {
      return std::tuple(-a.rank, a.parent, a.id) < std::tuple(-b.rank, b.parent, b.id);
    });
    if (pooled_.size() > places())
      pooled_.erase(pooled_.begin() + static_cast<std::ptrdiff_t>(places()), pooled_.end());
  }
  if (pooled_.empty()) {  // no token is a candidate: nothing can be added any more
    for (const Live& hypothesis : live_) finish(hypothesis.node, hypothesis.log_prob, hypothesis.rank, true);
    live_.clear();
    return;
  }
  ++length_;
  follow(eos);
  drop_hopeless();
}

/// Collects the first `keep` continuations of every live hypothesis in pooled_.
void Hypotheses::pool(const Continuations& next, size_t width, size_t keep) {
  pooled_.clear();
  for (size_t i = 0; i < live_.size(); ++i) {
    const Live& live = live_[i];
    const size_t begin = static_cast<size_t>(live.row) * width;
    for (size_t at = begin; at < begin + std::min(keep, width) && next.ids[at] >= 0; ++at) {
      const float step = next.log_probs[at];
      if (std::isnan(step)) fail<ModelError>("the model gave a score that is not a number; its weights are not usable");
      const float counted = penalised(step, factor_of(live.penalties, next.ids[at]));
      pooled_.push_back(
          {i, next.ids[at], step, live.log_prob + static_cast<double>(step), live.rank + static_cast<double>(counted)});
    }
  }
}

/// Replaces the live hypotheses by the pooled continuations; those that end with eos become finished.
void Hypotheses::follow(int32_t eos) {
  next_.clear();
  for (const Continuation& continuation : pooled_) {
    const Live& parent = live_[continuation.parent];
    const auto node = static_cast<int32_t>(trellis_.size());
    trellis_.push_back({parent.node, continuation.id, continuation.step});
    if (continuation.id == eos) {
      finish(node, continuation.log_prob, continuation.rank, false);
    } else if (length_ >= max_length_) {
      finish(node, continuation.log_prob, continuation.rank, true);
    } else {
      next_.push_back({parent.row, node, parent.draw, continuation.log_prob, continuation.rank});
    }
  }
  live_.swap(next_);
}

void Hypotheses::finish(int32_t node, double log_prob, double rank, bool truncated) {
  finished_.push_back({node, log_prob, normalise(rank, length_, options_.length_alpha), truncated});
}

/// Log-probabilities can only fall, with or without penalties. So the final score of a hypothesis is at most its
/// current log-probability, normalised with the maximum length.
void Hypotheses::drop_hopeless() {
  const auto kept = static_cast<size_t>(options_.n_best);
  if (options_.sampling.enabled || live_.empty() || finished_.size() < kept) return;
  scores_.clear();
  for (const Finished& finished : finished_) scores_.push_back(finished.score);
  const auto last_kept = scores_.begin() + static_cast<std::ptrdiff_t>(kept - 1);
  std::nth_element(scores_.begin(), last_kept, scores_.end(), std::greater<>());
  const double worst = *last_kept;
  const auto best_end = [&](const Live& live) { return normalise(live.rank, max_length_, options_.length_alpha); };
  std::erase_if(live_, [&](const Live& live) { return best_end(live) <= worst; });
}

std::vector<Hypothesis> Hypotheses::results() const {
  std::vector<Finished> best = finished_;
  std::stable_sort(best.begin(), best.end(), [](const Finished& a, const Finished& b) { return a.score > b.score; });
  if (best.size() > static_cast<size_t>(options_.n_best)) best.resize(static_cast<size_t>(options_.n_best));
  std::vector<Hypothesis> results;
  for (const Finished& finished : best) results.push_back(hypothesis_of(finished));
  return results;
}

std::vector<int32_t> Hypotheses::ids_up_to(int32_t node) const {
  std::vector<int32_t> ids;
  for (; node >= 0; node = trellis_[static_cast<size_t>(node)].parent) {
    ids.push_back(trellis_[static_cast<size_t>(node)].id);
  }
  std::reverse(ids.begin(), ids.end());
  return ids;
}

Hypothesis Hypotheses::hypothesis_of(const Finished& finished) const {
  Hypothesis result;
  result.log_prob = finished.log_prob;
  result.score = finished.score;
  result.truncated = finished.truncated;
  result.ids = ids_up_to(finished.node);
  for (int32_t node = finished.node; node >= 0; node = trellis_[static_cast<size_t>(node)].parent) {
    result.token_log_probs.push_back(trellis_[static_cast<size_t>(node)].log_prob);
  }
  std::reverse(result.token_log_probs.begin(), result.token_log_probs.end());
  if (!finished.truncated) result.ids.pop_back();  // eos
  return result;
}

}  // namespace ventris::decoding
