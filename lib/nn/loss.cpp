#include "nn/loss.h"

#include <cmath>

namespace ventris::nn {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// How the probability of a target is spread.
struct Smoothing {
  Smoothing(double smoothing, int64_t vocab)
      : on_target(1 - smoothing), elsewhere(vocab > 2 ? smoothing / static_cast<double>(vocab - 2) : 0.0) {
    constant = on_target > 0 ? on_target * std::log(on_target) : 0.0;
    if (elsewhere > 0) constant += smoothing * std::log(elsewhere);
  }
  double on_target, elsewhere;
  double constant;  // sum of p log p, what the divergence has over the cross-entropy
};

/// The loss with its gradient softmax - target distribution, computed in the memory of the log-probabilities.
struct LabelSmoothedLoss : torch::autograd::Function<LabelSmoothedLoss> {
  static variable_list forward(AutogradContext* context, const Tensor& logits, const Tensor& targets, double smoothing, int64_t pad) {
    const Smoothing spread(smoothing, logits.size(1));
    const Tensor log_probs = at::log_softmax(logits.to(torch::kFloat), 1);  // [tokens, vocab]
    const Tensor counted = targets.ne(pad);                                 // [tokens]
    const Tensor of_target = log_probs.gather(1, targets.unsqueeze(1)).squeeze(1);
    Tensor loss = spread.constant - spread.on_target * of_target;
    if (spread.elsewhere > 0) loss -= spread.elsewhere * (log_probs.sum(1) - of_target - log_probs.select(1, pad));
    context->save_for_backward({log_probs, targets, counted});
    context->saved_data["smoothing"] = smoothing;
    context->saved_data["pad"] = pad;
    const Tensor nll = -of_target.masked_fill(counted.logical_not(), 0).sum();
    context->mark_non_differentiable({nll});
    return {loss.masked_fill(counted.logical_not(), 0).sum(), nll};
  }

  static variable_list backward(AutogradContext* context, const variable_list& outer) {
    const auto saved = context->get_saved_variables();
    const Tensor &log_probs = saved[0], &targets = saved[1], &counted = saved[2];
    const Smoothing spread(context->saved_data["smoothing"].toDouble(), log_probs.size(1));
    const int64_t pad = context->saved_data["pad"].toInt();
    Tensor gradient = log_probs.exp();  // [tokens, vocab]
    if (spread.elsewhere > 0) {
      gradient.sub_(spread.elsewhere);
      gradient.select(1, pad).add_(spread.elsewhere);
    }
    const Tensor column = targets.unsqueeze(1);
    gradient.scatter_add_(1, column, torch::full_like(column, spread.elsewhere - spread.on_target, gradient.options()));
    gradient.mul_((outer[0] * counted.to(torch::kFloat)).unsqueeze(1));
    return {gradient, Tensor(), Tensor(), Tensor()};
  }
};

}  // namespace

LossResult label_smoothed_loss(const Tensor& logits, const Tensor& targets, double smoothing, int64_t pad) {
  TORCH_CHECK(logits.dim() == 2 && targets.dim() == 1 && logits.size(0) == targets.size(0),
              "label_smoothed_loss: expected logits [tokens, vocab] and targets [tokens], got ", logits.sizes(), " and ",
              targets.sizes());
  const auto both = LabelSmoothedLoss::apply(logits, targets, smoothing, pad);
  return {both[0], both[1]};
}

}  // namespace ventris::nn
