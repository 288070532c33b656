#include "nat/choices.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "core/error.h"

namespace ventris::nat {
namespace {

using decoding::Hypothesis;
using decoding::normalise;
using decoding::SearchOptions;

void check_score(double score) {
  if (std::isnan(score)) fail<ModelError>("the model gave a score that is not a number; its weights are not usable");
}

}  // namespace

std::vector<LengthCandidate> best_lengths(std::span<const float> log_probs, int64_t src_len, int64_t most,
                                          int32_t count) {
  const auto range = static_cast<int64_t>(log_probs.size() / 2);
  std::vector<LengthCandidate> found;
  for (int64_t difference = -range; difference <= range; ++difference) {
    const float log_prob = log_probs[static_cast<size_t>(difference + range)];
    check_score(static_cast<double>(log_prob));
    const int64_t length = src_len + difference;
    if (length >= 1 && length <= most) found.push_back({length, log_prob});
  }
  if (found.empty()) {
    const int64_t length = std::clamp<int64_t>(src_len, 1, most);
    return {{length, log_probs[static_cast<size_t>(length_class(length, src_len, range))]}};
  }
  std::ranges::stable_sort(found, std::ranges::greater(), &LengthCandidate::log_prob);
  found.resize(std::min(found.size(), static_cast<size_t>(count)));
  return found;
}

int64_t length_class(int64_t length, int64_t src_len, int64_t range) {
  return std::clamp(length - src_len, -range, range) + range;
}

std::vector<size_t> least_sure(std::span<const float> log_probs, size_t count) {
  std::vector<size_t> order(log_probs.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, [&](size_t a, size_t b) { return log_probs[a] < log_probs[b]; });
  order.resize(std::min(count, order.size()));
  std::ranges::sort(order);
  return order;
}

size_t hidden_tokens(size_t length, int32_t pass, int32_t passes) {
  return length * static_cast<size_t>(passes - pass) / static_cast<size_t>(passes);
}

Draft up_to_eos(std::span<const int32_t> ids, std::span<const float> log_probs, int32_t eos) {
  const auto end = static_cast<size_t>(std::ranges::find(ids, eos) - ids.begin());
  Draft draft;
  draft.ends = end < ids.size();
  draft.ids.assign(ids.begin(), ids.begin() + static_cast<int64_t>(end));
  draft.log_probs.assign(log_probs.begin(), log_probs.begin() + static_cast<int64_t>(end + (draft.ends ? 1 : 0)));
  return draft;
}

Hypothesis hypothesis_of(Draft draft, int64_t most, const SearchOptions& options) {
  Hypothesis result;
  if (static_cast<int64_t>(draft.log_probs.size()) > most) {
    draft.ids.resize(static_cast<size_t>(most));
    draft.log_probs.resize(static_cast<size_t>(most));
    draft.ends = false;
  }
  result.ids = std::move(draft.ids);
  result.token_log_probs = std::move(draft.log_probs);
  result.truncated = !draft.ends;
  for (const float log_prob : result.token_log_probs) result.log_prob += static_cast<double>(log_prob);
  check_score(result.log_prob);
  result.score = normalise(result.log_prob, static_cast<int64_t>(result.token_log_probs.size()), options.length_alpha);
  return result;
}

void keep_best(std::vector<Hypothesis>& hypotheses, int32_t n_best) {
  std::ranges::stable_sort(hypotheses, std::ranges::greater(), &Hypothesis::score);
  std::vector<Hypothesis> kept;
  for (Hypothesis& hypothesis : hypotheses) {
    if (kept.size() == static_cast<size_t>(n_best)) break;
    const auto same = [&](const Hypothesis& other) { return other.ids == hypothesis.ids; };
    if (std::ranges::none_of(kept, same)) kept.push_back(std::move(hypothesis));
  }
  hypotheses = std::move(kept);
}

}  // namespace ventris::nat
