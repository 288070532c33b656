#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/corpus.h"
#include "nn/model.h"
#include "text/tokenizer.h"
#include "settings/config.h"
#include "run/validation_result.h"
#include "training/task.h"

namespace ventris::training {

/// Measures the loss and, if the model translates, BLEU and chrF with the same code as translation: raw text in, beam
/// search, raw text out.
class Validator {
 public:
  /// Reads and tokenizes the corpus. Throws DataError.
  Validator(const settings::RunConfig& config, const text::Tokenizer& source, const text::Tokenizer& target);

  /// `model` must be in eval mode and on config.training.device.
  run::ValidationResult run(const nn::Model& model) const;

  /// Size and checksum of the corpus as text ("1014 pairs, crc32 1a2b3c4d"); the same lines give the same text.
  const std::string& corpus() const { return name_; }

 private:
  void measure_loss(const nn::Model& model, run::ValidationResult& result) const;
  void translate(const nn::Model& model, run::ValidationResult& result) const;

  settings::RunConfig config_;
  Task task_;
  text::Tokenizer source_tokenizer_, target_tokenizer_;
  data::ParallelCorpus corpus_;
  std::vector<std::string> sources_, references_;
  std::string name_;
};

}  // namespace ventris::training
