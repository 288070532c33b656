#pragma once
#include <torch/torch.h>

#include "core/special_ids.h"
#include "training/objective.h"
#include "training/task.h"

namespace ventris::training {

/// Settings of the loss of a classifier.
struct ClassificationOptions {
  double label_smoothing = 0;  ///< probability that is spread evenly over all labels, in [0, 1)
  core::SpecialIds ids = {};
  torch::Device device = torch::kCPU;
};

/// The cross-entropy of the labels, for batches of data::LabelledBatchMaker; a sum over texts, times their line
/// weights. With label smoothing s, the cross-entropy with (1 - s) at the label plus s / labels everywhere, as in
/// torch.nn.CrossEntropyLoss. Measures: accuracy, for which every text counts once.
/// Source: Devlin et al. 2019, section 4.1.
class ClassificationObjective : public Objective {
 public:
  explicit ClassificationObjective(const ClassificationOptions& options) : options_(options) {}
  BatchLoss loss(nn::ModelImpl& model, const data::Batch& batch, bool learn) const override;

 private:
  ClassificationOptions options_;
};

/// The task "classification" of "architecture": "bert-classifier".
Task make_classification_task(const settings::RunConfig& config, const model::Package& package);

}  // namespace ventris::training
