#include "decoding/ensemble_scorer.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace ventris::decoding {
namespace {

constexpr size_t kNumbers = 1 << 22;  // log-probabilities of each model that are in memory at once, at least one row

ScorerInfo info_of_all(std::span<const std::unique_ptr<RowScorer>> models) {
  ScorerInfo all = models.front()->info();
  all.refills = false;
  all.memory = {};
  for (const auto& model : models) {
    const ScorerInfo info = model->info();
    if (info.bos != all.bos || info.eos != all.eos || info.vocab != all.vocab) {
      throw std::invalid_argument("EnsembleScorer: the models have different vocabularies");
    }
    all.max_length = std::min(all.max_length, info.max_length);
    all.memory = &model == models.data() ? info.memory : all.memory.plus(info.memory);
    all.memory.fixed += static_cast<int64_t>(sizeof(float) * std::max<size_t>(kNumbers, info.vocab));
  }
  return all;
}

}  // namespace

EnsembleScorer::EnsembleScorer(std::vector<std::unique_ptr<RowScorer>> models, std::vector<float> shares,
                               Combination combination, std::vector<int32_t> never)
    : models_(std::move(models)),
      shares_(std::move(shares)),
      combination_(combination),
      never_(std::move(never)),
      info_(info_of_all(models_)),
      excluded_(never_),
      rows_(models_.size()),
      combined_(static_cast<size_t>(info_.vocab)) {
  excluded_.push_back(info_.eos);
}

void EnsembleScorer::admit(std::span<const std::span<const int32_t>> sources) {
  for (const auto& model : models_) model->admit(sources);
}

void EnsembleScorer::reset() {
  for (const auto& model : models_) model->reset();
}

Continuations EnsembleScorer::advance(const StepRequest& request) {
  const size_t rows = request.last_ids.size();
  ids_.resize(rows * static_cast<size_t>(request.continuations));
  scores_.resize(ids_.size());
  wanted_.resize(request.wanted.size());
  for (const auto& model : models_) model->step(request.parents, request.last_ids);
  const size_t at_once = std::max<size_t>(1, kNumbers / combined_.size());
  for (size_t first = 0; first < rows; first += at_once) select(request, first, std::min(at_once, rows - first));
  return {ids_, scores_, wanted_};
}

void EnsembleScorer::select(const StepRequest& request, size_t first, size_t count) {
  const auto wanted = static_cast<size_t>(request.continuations), vocab = combined_.size();
  for (size_t model = 0; model < models_.size(); ++model) rows_[model] = models_[model]->log_probs(first, count).data();
  for (size_t row = first; row < first + count; ++row) {
    select_row(request, row, ids_.data() + row * wanted, scores_.data() + row * wanted);
    for (const float*& next : rows_) next += vocab;
  }
}

/// Chooses among the tokens of the rows that rows_ points to. Only forced ids, penalties, draws and normalising need
/// the combination of all tokens.
void EnsembleScorer::select_row(const StepRequest& request, size_t row, int32_t* ids, float* scores) {
  const bool forced = !request.forced.empty() && request.forced[row] >= 0;
  if (combination_ != Combination::kProbs || forced || !request.penalties.empty() || request.sampling.enabled) {
    combine(rows_, shares_, combination_, combined_);
    select_wanted(combined_, request, row, wanted_);
    return select_continuations(combined_, request, row, never_, info_.eos, ids, scores);
  }
  select_wanted_means(request, row);
  const auto wanted = static_cast<size_t>(request.continuations);
  const bool bars_eos = !request.forbid_eos.empty() && request.forbid_eos[row] != 0;
  const std::span<const int32_t> excluded(excluded_.data(), excluded_.size() - (bars_eos ? 0 : 1));
  std::fill_n(ids, wanted, -1);
  std::fill_n(scores, wanted, -std::numeric_limits<float>::infinity());
  for (const RatedToken& token : best_means(rows_, shares_, combined_.size(), wanted, excluded)) {
    *ids++ = token.id;
    *scores++ = token.log_prob;
  }
}

/// The combined log-probabilities of the row's wanted tokens, by Combination::kProbs.
void EnsembleScorer::select_wanted_means(const StepRequest& request, size_t row) {
  const auto [first, end] = wanted_of(request, row);
  std::vector<float> of_models(rows_.size());
  for (size_t i = first; i < end; ++i) {
    const auto id = static_cast<size_t>(request.wanted[i].id);
    for (size_t model = 0; model < rows_.size(); ++model) of_models[model] = rows_[model][id];
    wanted_[i] = mean_of_probs(of_models, shares_);
  }
}

}  // namespace ventris::decoding
