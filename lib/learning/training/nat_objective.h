#pragma once
#include <torch/torch.h>

#include "architecture/transformer_nat_options.h"
#include "core/special_ids.h"
#include "nn/ctc_loss.h"
#include "nn/nat_model.h"
#include "training/objective.h"
#include "training/task.h"

namespace ventris::training {

/// Settings of the loss of a model that writes all tokens at once.
struct NatObjectiveOptions {
  architecture::NatOptions model;
  double label_smoothing = 0;  ///< not with CTC
  double word_dropout = 0;     ///< in training, probability that a source token is read as unk
  core::SpecialIds ids = {};
  torch::Device device = torch::kCPU;
};

/// How many tokens glancing shows per wrong token at an update (from 0).
double glancing_ratio(const architecture::NatOptions& model, int64_t update);

/// Chooses `counts` [sentences] (long) of the positions where `allowed` [sentences, len] (bool) is true, or all if
/// there are fewer: [sentences, len] bool. Draws from RandomScope::current().
torch::Tensor draw_positions(const torch::Tensor& allowed, const torch::Tensor& counts);

/// The loss of a non-autoregressive model, by NatOptions::objective:
/// - kPlain: the cross-entropy (with label smoothing) of every token, from the decoder's first input.
/// - kMaskPredict: the same of tokens that are masks in the input. Their number is uniform from 1 to all. Source:
///   Ghazvininejad et al. 2019, section 2.2.
/// - kGlancing: a first pass shows which tokens the model gets wrong. Of their number, the share glancing_ratio() is
///   shown to it: so many target tokens, drawn from all, replace the first input at their positions. The loss is that
///   of the other tokens. Source: Qian et al. 2021, section 3.1.
/// - kCtcGlancing: kCtc with glancing. The tokens shown are those of the most probable path to the target, and a wrong
///   position is one where the most probable symbol is not that of this path. Source: Gu and Kong 2021, section 3.
/// - kCtc: the negative log-likelihood over all paths. A pair whose target does not fit into its positions is left out
///   of the loss. Source: Graves et al. 2006; Libovicky and Helcl 2018.
/// Where only some tokens count, the loss is multiplied by all tokens / these, so that its size is that of kPlain.
/// A model that predicts the length adds length_weight x its cross-entropy x the tokens of the sentence.
/// `nll` is the sum of the negative log-likelihoods. Without `learn`, it is that of `ventris-score`: one pass from the
/// first input, and the length. Measure, for CTC: ctc_too_long, the share of pairs that do not fit.
class NatObjective : public Objective {
 public:
  explicit NatObjective(const NatObjectiveOptions& options) : options_(options) {}
  BatchLoss loss(nn::ModelImpl& model, const data::Batch& batch, bool learn) const override;

 private:
  struct Work;
  struct Attempt;
  Work prepare(nn::NatModelImpl& model, const data::Batch& batch, bool learn) const;
  BatchLoss token_loss(const Work& work) const;
  void hide(const Work& work, Attempt& attempt) const;
  void glance(const Work& work, Attempt& attempt) const;
  BatchLoss ctc_loss(const Work& work) const;
  torch::Tensor shown_counts(const torch::Tensor& wrong, const Work& work) const;
  void glance_at_path(const Work& work, const nn::CtcTargets& targets, Attempt& attempt) const;
  void add_length_loss(const Work& work, BatchLoss& found) const;

  NatObjectiveOptions options_;
};

/// The task of "architecture": "transformer-nat".
Task make_nat_task(const settings::RunConfig& config, const model::Package& package);

}  // namespace ventris::training
