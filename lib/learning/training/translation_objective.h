#pragma once
#include <torch/torch.h>

#include "core/special_ids.h"
#include "training/objective.h"

namespace ventris::training {

/// Settings of the loss of translation.
struct TranslationOptions {
  double label_smoothing = 0.1;
  double word_dropout = 0;  ///< in training, probability that an input token is read as unk
  double r_drop = 0;        ///< in training, weight of the divergence between two passes; 0 = one pass
  core::SpecialIds ids;
  torch::Device device = torch::kCPU;
};

/// Replaces each ordinary token of ids [sentences, length] by unk with probability `options.word_dropout`, drawn from
/// RandomScope::current(). Source: word dropout as in Transformers without Tears (Nguyen and Salazar 2019).
torch::Tensor drop_words(const torch::Tensor& ids, const TranslationOptions& options);

/// The label-smoothed cross-entropy of the target given the source and the previous target tokens (nn::generator_loss),
/// plus the divergence of R-Drop if it is on.
class TranslationObjective : public Objective {
 public:
  explicit TranslationObjective(const TranslationOptions& options) : options_(options) {}
  BatchLoss loss(nn::ModelImpl& model, const data::Batch& batch, bool learn) const override;

 private:
  TranslationOptions options_;
};

}  // namespace ventris::training
