#pragma once
#include <torch/torch.h>

#include "core/special_ids.h"
#include "training/objective.h"

namespace ventris::training {

/// Settings of learning to translate.
struct TranslationOptions {
  double label_smoothing = 0.1;
  double word_dropout = 0;  ///< while learning, chance of an input token to be read as unk
  double r_drop = 0;        ///< while learning, weight of the divergence between two passes; 0 = one pass
  core::SpecialIds ids;
  torch::Device device = torch::kCPU;
};

/// The ids [sentences, length] with each ordinary token read as unk with chance `options.word_dropout`, drawn from
/// RandomScope::current(). Source: word dropout as in Transformers without Tears (Nguyen and Salazar 2019).
torch::Tensor drop_words(const torch::Tensor& ids, const TranslationOptions& options);

/// Cross-entropy of the target given the source and the target so far, label-smoothed (nn::generator_loss), with
/// R-Drop's divergence if there is one.
class TranslationObjective : public Objective {
 public:
  explicit TranslationObjective(const TranslationOptions& options) : options_(options) {}
  BatchLoss loss(nn::Seq2SeqImpl& model, const data::Batch& batch, bool learn) const override;

 private:
  TranslationOptions options_;
};

}  // namespace ventris::training
