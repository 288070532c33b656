#pragma once
#include <torch/torch.h>

#include "core/special_ids.h"
#include "training/objective.h"
#include "training/task.h"

namespace ventris::training {

/// Settings of the loss of BERT.
struct BertObjectiveOptions {
  double label_smoothing = 0;
  core::SpecialIds ids;
  torch::Device device = torch::kCPU;
};

/// The loss of BERT's pre-training, for batches of data::MaskedBatchMaker: the mean cross-entropy of the hidden tokens,
/// plus that of next-sentence prediction if the batch has classes. Both are returned as sums
/// over hidden tokens, so the mean of the second is multiplied by their number. `nll` is that of the hidden tokens
/// alone. Measures: masked_accuracy, and next_sentence_accuracy if there are classes. Source: Devlin et al. 2019,
/// section 3.1 and appendix A.2.
class BertObjective : public Objective {
 public:
  explicit BertObjective(const BertObjectiveOptions& options) : options_(options) {}
  BatchLoss loss(nn::ModelImpl& model, const data::Batch& batch, bool learn) const override;

 private:
  BertObjectiveOptions options_;
};

/// The task of "architecture": "bert". Throws ConfigError for settings that only translation has.
Task make_bert_task(const run::RunConfig& config, const model::Package& package);

}  // namespace ventris::training
