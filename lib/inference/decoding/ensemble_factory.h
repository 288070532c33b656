#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "decoding/combination.h"
#include "decoding/step_scorer.h"

namespace ventris::decoding {

struct EnsembleOptions {
  std::vector<double> weights = {};  ///< of the models, each over 0; empty = equal. Only their ratios matter
  Combination combination = Combination::kProbs;
  std::vector<int32_t> never = {};  ///< ids that are never continuations
};

/// Models that translate together, as if they were one model. At each step, the distributions of all models are
/// combined into one. `log_probs` of continuations and answers are those of this distribution. The models may be
/// computed by different backends. Each must write token by token (ScorerFactory::make_row_scorer); the same factory
/// may occur twice.
/// - A target may be as long as every model allows.
/// - The attention is the weighted mean over the models that have as many layers and heads as the first model that
///   provides attention.
/// - The sentences are independent of each other as far as they are in each model.
/// Throws std::invalid_argument if there is no model, if the number of weights is wrong, or if one is not over 0. A
/// scorer is not made (std::invalid_argument) if the special ids or the vocabulary sizes of the models differ.
std::unique_ptr<ScorerFactory> make_ensemble(std::vector<std::shared_ptr<const ScorerFactory>> models,
                                             EnsembleOptions options);

}  // namespace ventris::decoding
