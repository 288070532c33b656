#pragma once
#include <memory>
#include <string>
#include <vector>

#include "data/corpus.h"
#include "data/pair_context.h"
#include "decoding/step_scorer.h"
#include "metrics/bleu.h"
#include "model/package.h"
#include "nn/model.h"
#include "preparation/run_tokenizers.h"
#include "run/validation_result.h"
#include "settings/run_config.h"
#include "training/task.h"
#include "translation/translator.h"

namespace ventris::training {

/// A validation corpus; `name` is that of a further one, empty = the one that decides.
using ValidationCorpus = settings::FurtherCorpus;

/// Measures the loss on one corpus and, if the model translates, BLEU and chrF with the same code as translation: raw
/// text in, beam search, raw text out. A model that learns context gets the sentences before in both.
class ValidationSet {
 public:
  /// Reads and tokenizes the corpus. Throws DataError.
  ValidationSet(const settings::RunConfig& config, const ValidationCorpus& files,
                const preparation::Tokenizers& tokenizers);

  /// `model` must be in eval mode and on config.training.device. `scorers` translate with it; null = it does not
  /// translate.
  run::ValidationResult run(const nn::Model& model,
                            const std::shared_ptr<const decoding::ScorerFactory>& scorers) const;

  /// Size and checksum of the corpus as text ("1014 pairs, crc32 1a2b3c4d"); the same lines give the same text.
  const std::string& identity() const { return identity_; }

 private:
  bool is_told_languages() const;
  void choose_tokenization();
  std::vector<data::SentencePair> pairs_of(const std::vector<uint32_t>& numbers) const;
  void measure_loss(const nn::Model& model, run::ValidationResult& result) const;
  std::vector<std::string> translations(const translation::Translator& translator) const;
  void translate(const nn::Model& model, const std::shared_ptr<const decoding::ScorerFactory>& scorers,
                 run::ValidationResult& result) const;

  settings::RunConfig config_;
  model::Package package_;
  Task task_;
  preparation::Tokenizers tokenizers_;
  std::string name_, identity_;
  metrics::BleuOptions bleu_;
  data::ParallelCorpus corpus_;
  std::shared_ptr<const data::PairContext> context_;  // null: pairs have none
  std::vector<std::string> sources_, references_;
  std::vector<size_t> preceding_;  // sentences of its document before each source
};

}  // namespace ventris::training
