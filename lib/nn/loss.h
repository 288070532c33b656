#pragma once
#include <torch/torch.h>

namespace ventris::nn {

/// Sums over the targets that are not padding, in nats, each times its weight if there are weights.
struct LossResult {
  torch::Tensor loss;  ///< label-smoothed, Kullback-Leibler form with its constant; what is differentiated
  torch::Tensor nll;   ///< plain negative log-likelihood, without gradient
};

/// Divergence of the predicted distribution from the smoothed target: 1 - smoothing on the target, the rest spread
/// evenly over the vocab - 2 tokens that are neither target nor padding. logits [tokens, vocab], targets [tokens]
/// (long); targets equal to `pad` count nothing; weights [tokens] (float, undefined = all 1) multiply each one's loss.
/// smoothing 0 = cross-entropy. Keeps one [tokens, vocab] tensor, which the backward pass turns into the gradient: it
/// runs once, a second time throws. Throws c10::Error for other shapes or a smoothing outside [0, 1).
/// Source: Szegedy et al. 2016; LabelSmoothing in The Annotated Transformer.
LossResult label_smoothed_loss(const torch::Tensor& logits, const torch::Tensor& targets, double smoothing, int64_t pad,
                               const torch::Tensor& weights = {});

/// The same of logits = hidden * weight^T + bias, without ever holding them all: hidden [tokens, d_model], weight
/// [vocab, d_model], bias [vocab] (float). In bf16 under CPU autocast. One backward pass at most.
/// With r_drop > 0, hidden [2 * tokens, d_model] holds two passes over the same targets, one behind the other, and
/// r_drop times (KL(p||q) + KL(q||p)) / 2 between their distributions is added (R-Drop, Wu et al. 2021, equation 2).
/// Throws c10::Error for other shapes or types, a padding outside [0, vocab), a smoothing outside [0, 1) and, on a CPU,
/// for targets outside [0, vocab).
LossResult generator_loss(const torch::Tensor& hidden, const torch::Tensor& weight, const torch::Tensor& bias,
                          const torch::Tensor& targets, double smoothing, int64_t pad, double r_drop = 0,
                          const torch::Tensor& weights = {});

/// What generator_loss adds, of all logits [2 * tokens, vocab] at once: the sum over targets that are not padding.
torch::Tensor pair_divergence(const torch::Tensor& logits, const torch::Tensor& targets, int64_t pad,
                              const torch::Tensor& weights = {});

}  // namespace ventris::nn
