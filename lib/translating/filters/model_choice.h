#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "decoding/combination.h"
#include "decoding/ensemble_factory.h"

namespace ventris::filters {

/// The models of a program, and how several of them become an ensemble.
struct ModelChoice {
  std::vector<std::string> paths;  ///< bundles or TorchScript files; several = an ensemble
  std::vector<double> weights;     ///< one for each model, over 0; empty = equal
  decoding::Combination combine = decoding::Combination::kProbs;

  decoding::EnsembleOptions ensemble() const { return {.weights = weights, .combination = combine}; }
};

/// Throws ConfigError for an empty path, a weight that is not over 0 (or too small beside the others), or another
/// number of weights than of models.
void check(const ModelChoice& choice);

/// Throws ConfigError if there is no model.
void require_model(const ModelChoice& choice);

/// Throws ConfigError if writing `output` would replace a file of a model. "-" is allowed.
void check_output(const ModelChoice& choice, const std::string& output);

/// The settings with "model" as a list: it may be a text or a list of texts. Throws ConfigError if it is neither.
nlohmann::json with_model_list(const nlohmann::json& settings);

}  // namespace ventris::filters
