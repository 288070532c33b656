#pragma once
#include <string>
#include <vector>

#include "model/model_config.h"
#include "nn/model.h"
#include "preparation/run_tokenizers.h"
#include "run/validation_result.h"
#include "settings/run_config.h"
#include "training/validation_set.h"

namespace ventris::training {

/// Measures a model on the validation corpora of a run: on the one that decides, and on the further ones.
class Validator {
 public:
  /// Reads and tokenizes the corpora. Throws DataError.
  Validator(const settings::RunConfig& config, const preparation::Tokenizers& tokenizers);

  /// `model` must be in eval mode and on config.training.device. The result is that of the corpus that decides, which
  /// has those of the further ones.
  run::ValidationResult run(const nn::Model& model) const;

  /// Size and checksum of the corpus that decides, as text (ValidationSet::identity).
  const std::string& corpus() const { return deciding_.identity(); }

 private:
  model::ModelConfig model_config_;
  std::string device_;
  ValidationSet deciding_;
  std::vector<ValidationSet> further_;
};

}  // namespace ventris::training
