#pragma once
#include <torch/torch.h>

#include "core/special_ids.h"
#include "model/model_config.h"
#include "training/objective.h"

namespace ventris::training {

/// Settings of the loss of translation.
struct TranslationOptions {
  double label_smoothing = 0.1;
  double word_dropout = 0;  ///< in training, probability that an input token is read as unk
  double r_drop = 0;        ///< in training, weight of the divergence between two passes; 0 = one pass
  model::GuidedAttention guided = {};  ///< in training, what learns Batch::links; layer 0 = nothing does
  double guided_weight = 0;            ///< of its loss
  core::SpecialIds ids;
  torch::Device device = torch::kCPU;
};

/// The cross-entropy between the links of a batch and attention `weights` [passes * sentences, heads, tgt_len,
/// src_len]: a sum over linked target tokens and passes, in nats. Source: Garg et al. 2019, equation 4, with the links
/// of Chen et al. 2016.
torch::Tensor alignment_loss(const torch::Tensor& weights, const data::Batch& batch,
                             const model::GuidedAttention& guided);

/// Replaces each ordinary token of ids [sentences, length] by unk with probability `options.word_dropout`, drawn from
/// RandomScope::current(). Source: word dropout as in Transformers without Tears (Nguyen and Salazar 2019).
torch::Tensor drop_words(const torch::Tensor& ids, const TranslationOptions& options);

/// The label-smoothed cross-entropy of the target given the source and the previous target tokens (nn::generator_loss),
/// plus the divergence of R-Drop and the loss of guided alignment if they are on.
class TranslationObjective : public Objective {
 public:
  explicit TranslationObjective(const TranslationOptions& options) : options_(options) {}
  BatchLoss loss(nn::ModelImpl& model, const data::Batch& batch, bool learn) const override;

 private:
  TranslationOptions options_;
};

}  // namespace ventris::training
