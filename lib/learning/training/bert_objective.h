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

/// The loss of BERT's pre-training, for batches of data::MaskedBatchMaker: the cross-entropy of the hidden tokens, plus
/// that of next-sentence prediction if the batch has classes. It is a sum over hidden tokens, as for every task, so the
/// cross-entropy of a class counts as often as its passage has hidden tokens. `nll` is that of the hidden tokens alone.
/// Measures: masked_accuracy, and next_sentence_accuracy if there are classes.
/// Source: Devlin et al. 2019, section 3.1 and appendix A.2.
class BertObjective : public Objective {
 public:
  explicit BertObjective(const BertObjectiveOptions& options) : options_(options) {}
  BatchLoss loss(nn::ModelImpl& model, const data::Batch& batch, bool learn) const override;

 private:
  BertObjectiveOptions options_;
};

/// The task of "architecture": "bert". Throws ModelError if the tokenizer has no piece [MASK].
Task make_bert_task(const settings::RunConfig& config, const model::Package& package);

}  // namespace ventris::training
