#include "decoding/hypotheses.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <tuple>
#include <utility>

#include "constraints/banks.h"
#include "core/error.h"
#include "core/random.h"

namespace ventris::decoding {
namespace {

constexpr float kNothing = -std::numeric_limits<float>::infinity();
constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();

}  // namespace

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

bool Hypotheses::requires_phrases() const {
  return sentence_.constraints != nullptr && sentence_.constraints->requires_any();
}

int32_t Hypotheses::missing(const Live& hypothesis) const {
  return requires_phrases() ? sentence_.constraints->missing(hypothesis.progress) : 0;
}

bool Hypotheses::forbids_eos(const Live& hypothesis) const {
  const int64_t own = length_ - static_cast<int64_t>(sentence_.given);  // tokens of the translation
  return own < options_.min_length || missing(hypothesis) > 0;
}

void Hypotheses::penalise(Live& hypothesis) const {
  hypothesis.penalties.clear();
  const bool forbids = sentence_.constraints != nullptr && sentence_.constraints->forbids_any();
  if ((!options_.repetition.any() && !forbids) || forced_id() >= 0) return;
  std::vector<int32_t> forbidden, target;
  if (forbids) forbidden = sentence_.constraints->forbidden(hypothesis.progress);
  if (options_.repetition.any()) target = ids_up_to(hypothesis.node);
  hypothesis.penalties = repetition_penalties(target, options_.repetition, forbidden);
}

void Hypotheses::want(Live& hypothesis, int32_t eos) const {
  hypothesis.wanted.clear();
  if (!requires_phrases() || forced_id() >= 0) return;
  hypothesis.wanted = sentence_.constraints->wanted(hypothesis.progress);
  // If the best next tokens continue the last word of a phrase, its end must be possible, too.
  const bool can_end = hypothesis.progress.fresh != 0 && !forbids_eos(hypothesis);
  if (can_end) hypothesis.wanted.assign(1, eos);
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
  if (requires_phrases() && forced_id() < 0) {
    pool_wanted(next);
    share_among_banks(eos);
  } else if (!options_.sampling.enabled) {
    keep_best();
  }
  if (pooled_.empty()) {  // no hypothesis has a continuation: nothing can be added any more
    for (const Live& hypothesis : live_) finish(hypothesis, true);
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
      add_to_pool(i, next.ids[at], next.log_probs[at]);
    }
  }
}

void Hypotheses::add_to_pool(size_t parent, int32_t id, float step) {
  if (std::isnan(step)) fail<ModelError>("the model gave a score that is not a number; its weights are not usable");
  const Live& live = live_[parent];
  if (static_cast<size_t>(length_) < sentence_.given) step = 0;
  const float counted = penalised(step, factor_of(live.penalties, id));
  pooled_.push_back(
      {parent, id, step, live.log_prob + static_cast<double>(step), live.rank + static_cast<double>(counted)});
}

/// Adds the wanted tokens that are possible and not in pooled_ yet.
void Hypotheses::pool_wanted(const Continuations& next) {
  const size_t among_best = pooled_.size();
  for (size_t i = 0, first = 0, end = 0; i < live_.size(); ++i, first = end) {
    while (end < among_best && pooled_[end].parent == i) ++end;
    const Live& live = live_[i];
    for (size_t j = 0; j < live.wanted.size(); ++j) {
      const int32_t id = live.wanted[j];
      const float step = next.wanted[live.first_wanted + j];
      const auto is_same = [id](const Continuation& one) { return one.id == id; };
      const bool possible = !(penalised(step, factor_of(live.penalties, id)) == kNothing);  // true if NaN
      const bool known = std::any_of(pooled_.begin() + static_cast<std::ptrdiff_t>(first),
                                     pooled_.begin() + static_cast<std::ptrdiff_t>(end), is_same);
      if (possible && !known) add_to_pool(i, id, step);
    }
  }
}

/// Sorts pooled_, the best first.
void Hypotheses::sort_pool() {
  std::sort(pooled_.begin(), pooled_.end(), [](const Continuation& a, const Continuation& b) {
    return std::tuple(-a.rank, a.parent, a.id) < std::tuple(-b.rank, b.parent, b.id);
  });
}

/// Keeps as many of the best as there are places.
void Hypotheses::keep_best() {
  sort_pool();
  if (pooled_.size() > places()) pooled_.erase(pooled_.begin() + static_cast<std::ptrdiff_t>(places()), pooled_.end());
}

/// Keeps the best of pooled_ in each bank: the continuations with the same number of tokens of required phrases.
void Hypotheses::share_among_banks(int32_t eos) {
  const constraints::Constraints& constraints = *sentence_.constraints;
  for (Continuation& one : pooled_) {
    const constraints::Progress& progress = live_[one.parent].progress;
    one.missing = constraints.missing(one.id == eos ? progress : constraints.after(progress, one.id));
  }
  // A token after which the maximum length may have no room for eos and the phrases (they can overlap) is kept only if
  // there are places for all, or if all are such.
  const auto has_room = [&](const Continuation& one) {
    return one.id == eos || length_ + 1 + one.missing + 1 <= max_length_;
  };
  if (pooled_.size() > places() && std::ranges::any_of(pooled_, has_room)) {
    std::erase_if(pooled_, std::not_fn(has_room));
  }
  const auto tokens = static_cast<size_t>(constraints.tokens());
  const auto bank_of = [&](const Continuation& one) { return tokens - static_cast<size_t>(one.missing); };
  std::vector<size_t> left(tokens + 1);
  for (const Continuation& one : pooled_) ++left[bank_of(one)];
  left = constraints::share_places(places(), left);
  sort_pool();
  std::erase_if(pooled_, [&](const Continuation& one) {
    size_t& places_of_bank = left[bank_of(one)];
    if (places_of_bank == 0) return true;
    --places_of_bank;
    return false;
  });
}

/// Replaces the live hypotheses by the pooled continuations; those that end with eos become finished.
void Hypotheses::follow(int32_t eos) {
  next_.clear();
  for (const Continuation& continuation : pooled_) {
    const Live& parent = live_[continuation.parent];
    const auto node = static_cast<int32_t>(trellis_.size());
    trellis_.push_back({parent.node, continuation.id, continuation.step});
    Live next{parent.row, node, parent.draw, continuation.log_prob, continuation.rank};
    const bool ends = continuation.id == eos;
    if (sentence_.constraints != nullptr) {
      next.progress = ends ? parent.progress : sentence_.constraints->after(parent.progress, continuation.id);
    }
    if (ends || length_ >= max_length_) {
      finish(next, !ends);
    } else {
      next_.push_back(std::move(next));
    }
  }
  live_.swap(next_);
}

void Hypotheses::finish(const Live& hypothesis, bool truncated) {
  const double score = normalise(hypothesis.rank, length_, options_.length_alpha);
  finished_.push_back({hypothesis.node, hypothesis.log_prob, score, truncated, missing(hypothesis)});
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
  std::stable_sort(best.begin(), best.end(), [](const Finished& a, const Finished& b) {
    return a.missing != b.missing ? a.missing < b.missing : a.score > b.score;
  });
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
  const bool known = computes_log_probs(options_);
  result.log_prob = known ? finished.log_prob : kUnknown;
  result.score = known ? finished.score : kUnknown;
  result.truncated = finished.truncated;
  result.ids = ids_up_to(finished.node);
  for (int32_t node = finished.node; node >= 0; node = trellis_[static_cast<size_t>(node)].parent) {
    result.token_log_probs.push_back(known ? trellis_[static_cast<size_t>(node)].log_prob : kUnknown);
  }
  std::reverse(result.token_log_probs.begin(), result.token_log_probs.end());
  if (!finished.truncated) result.ids.pop_back();  // eos
  const auto given = static_cast<std::ptrdiff_t>(std::min(sentence_.given, result.ids.size()));
  result.ids.erase(result.ids.begin(), result.ids.begin() + given);
  result.token_log_probs.erase(result.token_log_probs.begin(), result.token_log_probs.begin() + given);
  return result;
}

}  // namespace ventris::decoding
