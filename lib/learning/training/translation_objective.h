#pragma once
#include <torch/torch.h>

#include "core/special_ids.h"
#include "model/model_config.h"
#include "settings/run_config.h"
#include "training/objective.h"

namespace ventris::training {

/// Settings of the loss of translation.
struct TranslationOptions {
  double label_smoothing = 0.1;
  double word_dropout = 0;  ///< in training, probability that an input token is read as unk
  double r_drop = 0;        ///< in training, weight of the divergence between two passes; 0 = one pass
  model::GuidedAttention guided = {};  ///< in training, what learns Batch::links; layer 0 = nothing does
  double guided_weight = 0;            ///< of its loss
  settings::ScheduledSamplingConfig sampling = {};  ///< in training
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

/// The probability of ScheduledSamplingConfig in update `number`, from 0.
double sampling_share(const settings::ScheduledSamplingConfig& sampling, int64_t number);

/// What the decoder reads in scheduled sampling: target_in [sentences, tgt_len], of which each ordinary token becomes
/// the best prediction of the position before it with probability `share`, drawn from RandomScope::current().
/// `predicted` [sentences, tgt_len] are the best predictions of a pass over target_in; one that is no ordinary token
/// is not taken. Source: Mihaylova and Martins 2019, section 3, with the argmax.
torch::Tensor with_predictions(const torch::Tensor& target_in, const torch::Tensor& predicted, double share,
                               const core::SpecialIds& ids);

/// The label-smoothed cross-entropy of the target given the source and the previous target tokens (nn::generator_loss),
/// plus the divergence of R-Drop, the loss of guided alignment and BalanceLoss times Batch::target_weight,
/// if they are on. With scheduled sampling, a first pass without gradients predicts what the pass that learns reads.
class TranslationObjective : public Objective {
 public:
  explicit TranslationObjective(const TranslationOptions& options) : options_(options) {}
  BatchLoss loss(nn::ModelImpl& model, const data::Batch& batch, bool learn) const override;

 private:
  TranslationOptions options_;
};

}  // namespace ventris::training
