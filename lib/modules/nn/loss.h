#pragma once
#include <torch/torch.h>

namespace ventris::nn {

/// Sums over the targets that are not padding, in nats, each multiplied by its weight if there are weights.
struct LossResult {
  torch::Tensor loss;  ///< label-smoothed, as a Kullback-Leibler divergence with its constant; has a gradient
  torch::Tensor nll;   ///< plain negative log-likelihood, without gradient
};

/// Divergence of the predicted distribution from the smoothed target: 1 - smoothing on the target, the rest spread
/// evenly over the vocab - 2 tokens that are neither target nor padding. logits [tokens, vocab], targets [tokens]
/// (long); targets equal to `pad` do not count; weights [tokens] (float, undefined = all 1) multiply the losses.
/// smoothing 0 = cross-entropy. Keeps one [tokens, vocab] tensor, which the backward pass overwrites with the gradient;
/// therefore a second backward pass throws. Throws c10::Error for other shapes or a smoothing outside [0, 1).
/// Source: Szegedy et al. 2016; LabelSmoothing in The Annotated Transformer.
LossResult label_smoothed_loss(const torch::Tensor& logits, const torch::Tensor& targets, double smoothing, int64_t pad,
                               const torch::Tensor& weights = {});

/// What generator_loss() computes.
struct GeneratorLossOptions {
  double smoothing = 0;   ///< in [0, 1)
  int64_t pad = 0;        ///< targets that do not count
  double r_drop = 0;      ///< factor of the divergence of two passes; 0 = one pass
  torch::Tensor weights = {};  ///< [tokens] (float); undefined = all 1
};

/// The same for logits = hidden * weight^T + bias, without storing all logits at once: hidden [tokens, d_model], weight
/// [vocab, d_model], bias [vocab] (float). In bf16 under CPU autocast. At most one backward pass.
/// With r_drop > 0, hidden [2 * tokens, d_model] has two passes over the same targets, one after the other, and
/// r_drop times (KL(p||q) + KL(q||p)) / 2 between their distributions is added (R-Drop, Wu et al. 2021, equation 2).
/// Throws c10::Error for other shapes or types, a padding outside [0, vocab), a smoothing outside [0, 1) and, on a CPU,
/// for targets outside [0, vocab).
LossResult generator_loss(const torch::Tensor& hidden, const torch::Tensor& weight, const torch::Tensor& bias,
                          const torch::Tensor& targets, const GeneratorLossOptions& options);

/// The divergence that generator_loss adds, from all logits [2 * tokens, vocab]; sum over targets that are not padding.
torch::Tensor pair_divergence(const torch::Tensor& logits, const torch::Tensor& targets, int64_t pad,
                              const torch::Tensor& weights = {});

}  // namespace ventris::nn
