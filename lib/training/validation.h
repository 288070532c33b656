#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backend/attention_maps.h"
#include "data/corpus.h"
#include "nn/seq2seq.h"
#include "text/tokenizer.h"
#include "training/config.h"
#include "training/task.h"

namespace ventris::training {

/// A sample translation for the log and the report.
struct Sample {
  std::string source;
  std::string reference;
  std::string translation;
};

/// The result of a validation.
struct ValidationResult {
  double loss = 0;        ///< label-smoothed, nats per target token
  double nll = 0;         ///< nats per target token
  double perplexity = 0;  ///< exp(nll)
  double bleu = 0;        ///< 13a, cased, of real beam translations against the raw references
  double chrf = 0;
  double seconds = 0;
  std::vector<Sample> samples;
  std::optional<backend::SentenceAttention> attention = {};  ///< of the first sample that fits a figure; for the report

  double value(Metric metric) const;
};

/// Validates with the same code as translation: raw text in, beam search, raw text out.
class Validator {
 public:
  /// Reads and tokenizes the corpus. Throws DataError.
  Validator(const RunConfig& config, const text::Tokenizer& source, const text::Tokenizer& target);

  /// `model` must be in eval mode and on config.training.device.
  ValidationResult run(const nn::Seq2Seq& model) const;

  /// Size and checksum of the corpus as text ("1014 pairs, crc32 1a2b3c4d"); the same lines give the same text.
  const std::string& corpus() const { return name_; }

 private:
  void measure_loss(const nn::Seq2Seq& model, ValidationResult& result) const;
  void translate(const nn::Seq2Seq& model, ValidationResult& result) const;

  RunConfig config_;
  Task task_;
  text::Tokenizer source_tokenizer_, target_tokenizer_;
  data::ParallelCorpus corpus_;
  std::vector<std::string> sources_, references_;
  std::string name_;
};

}  // namespace ventris::training
