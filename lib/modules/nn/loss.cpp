#include "nn/loss.h"

#include <ATen/autocast_mode.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "gpu/gpu_functions.h"
#include "gpu/gpu_program.h"
#include "kernels/smoothed_loss.h"
#include "nn/cpu_types.h"
#include "nn/generator_block.h"
#include "nn/linear.h"

namespace ventris::nn {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// How the probability of a target is distributed.
struct Smoothing {
  Smoothing(double smoothing, int64_t vocab)
      : on_target(1 - smoothing), elsewhere(vocab > 2 ? smoothing / static_cast<double>(vocab - 2) : 0.0) {
    constant = on_target > 0 ? on_target * std::log(on_target) : 0.0;
    if (elsewhere > 0) constant += smoothing * std::log(elsewhere);
  }
  /// The same for the kernels.
  kernels::SmoothedTarget around(int64_t pad) const {
    return {static_cast<float>(on_target), static_cast<float>(elsewhere), static_cast<float>(constant),
            static_cast<int32_t>(pad)};
  }
  double on_target, elsewhere;
  double constant;  // sum of p log p, the difference between divergence and cross-entropy
};

/// Rows per block: on a CPU, as many as fit into its second-level cache, because every pass over [tokens, vocab] in
/// main memory costs 2 % of the time of a small model's output layer.
int64_t rows_at_a_time(const Tensor& logits) {
  if (!logits.is_cpu()) return std::max<int64_t>(logits.size(0), 1);
  constexpr int64_t kElements = 1 << 17;
  return std::max<int64_t>(kElements / std::max<int64_t>(logits.size(1), 1), 1);
}

/// Calls work(first, count) for every block of rows.
template <typename Work>
void for_row_blocks(const Tensor& logits, const Work& work) {
  const int64_t rows = logits.size(0), step = rows_at_a_time(logits);
  for (int64_t first = 0; first < rows; first += step) work(first, std::min(step, rows - first));
}

/// Logits as they count for smoothing.
Tensor counted(const Tensor& logits) { return logits.clamp_min(kernels::kLeastCountedLogit); }

/// values [tokens] times weights [tokens], if there are weights.
Tensor weighted(const Tensor& values, const Tensor& weights) { return weights.defined() ? values * weights : values; }

/// An autograd function does not accept an undefined tensor, but an empty optional.
std::optional<Tensor> optional_of(const Tensor& weights) {
  return weights.defined() ? std::optional(weights.contiguous()) : std::nullopt;
}

/// The loss with its gradient, softmax - target distribution. Keeps the exponentials, so that each is computed only
/// once. The backward pass overwrites them with the gradient, so there can be only one.
struct LabelSmoothedLoss : torch::autograd::Function<LabelSmoothedLoss> {
  static variable_list forward(AutogradContext* context, const Tensor& logits, const Tensor& targets, double smoothing,
                               int64_t pad, const std::optional<Tensor>& of_tokens) {
    const Tensor weights = of_tokens.value_or(Tensor());
    const Smoothing spread(smoothing, logits.size(1));
    const auto floats = logits.options().dtype(torch::kFloat);
    Tensor exps = at::empty(logits.sizes(), floats);       // exp(logit - the row's largest)
    Tensor largest = at::empty({logits.size(0)}, floats);  // [tokens]
    Tensor sum = at::zeros({logits.size(0)}, floats);      // of a row's logits
    Tensor exp_sum = at::empty({logits.size(0)}, floats);
    for_row_blocks(logits, [&](int64_t first, int64_t count) {
      const auto rows = [&](const Tensor& whole) { return whole.narrow(0, first, count); };
      rows(largest).copy_(at::amax(rows(logits), {1}));
      Tensor block = rows(exps);
      at::sub_out(block, rows(logits), rows(largest).unsqueeze(1)).exp_();
      rows(exp_sum).copy_(block.sum(1));
      if (spread.elsewhere > 0) rows(sum).copy_(at::sum(counted(rows(logits)), {1}, false, torch::kFloat));
    });
    const Tensor log_sum = exp_sum.log().add_(largest);  // log-probability = logit - log_sum
    const Tensor ignored = targets.eq(pad);
    const Tensor target_logit = logits.gather(1, targets.unsqueeze(1)).squeeze(1).to(torch::kFloat);
    const Tensor of_target = target_logit - log_sum;
    Tensor loss = spread.constant - spread.on_target * of_target;  // [tokens]
    if (spread.elsewhere > 0) {
      const Tensor of_pad = counted(logits.select(1, pad).to(torch::kFloat)) - log_sum;
      const Tensor of_all = sum - log_sum * static_cast<double>(logits.size(1));
      loss -= spread.elsewhere * (of_all - (counted(target_logit) - log_sum) - of_pad);
    }
    if (weights.defined()) {
      context->save_for_backward({exps, exp_sum, targets, weights});
    } else {
      context->save_for_backward({exps, exp_sum, targets});
    }
    context->saved_data["smoothing"] = smoothing;
    context->saved_data["pad"] = pad;
    context->saved_data["type"] = static_cast<int64_t>(logits.scalar_type());
    const Tensor nll = weighted(of_target.masked_fill(ignored, 0), weights).sum().neg_();
    context->mark_non_differentiable({nll});
    return {weighted(loss.masked_fill_(ignored, 0), weights).sum(), nll};
  }

  static variable_list backward(AutogradContext* context, const variable_list& outer) {
    const auto saved = context->get_saved_variables();
    const Tensor &exps = saved[0], &exp_sum = saved[1], &targets = saved[2];
    const Smoothing spread(context->saved_data["smoothing"].toDouble(), exps.size(1));
    const int64_t pad = context->saved_data["pad"].toInt();
    const Tensor scale = weighted(outer[0].to(torch::kFloat) * targets.ne(pad), saved.size() > 3 ? saved[3] : Tensor())
                             .unsqueeze(1);  // [tokens, 1]
    const Tensor of_exp = scale / exp_sum.unsqueeze(1), elsewhere = scale * spread.elsewhere;
    for_row_blocks(exps, [&](int64_t first, int64_t count) {
      const auto rows = [&](const Tensor& whole) { return whole.narrow(0, first, count); };
      Tensor block = rows(exps).mul_(rows(of_exp));
      if (spread.elsewhere > 0) {
        block.sub_(rows(elsewhere));
        block.narrow(1, pad, 1).add_(rows(elsewhere));
      }
      block.scatter_add_(1, rows(targets).unsqueeze(1), rows(scale) * (spread.elsewhere - spread.on_target));
    });
    const auto type = static_cast<torch::ScalarType>(context->saved_data["type"].toInt());
    return {exps.to(type), Tensor(), Tensor(), Tensor(), Tensor()};
  }
};

/// Computes the generator's product and the loss block by block, with all gradients at once.
class BlockedGenerator {
 public:
  /// `states` [passes * tokens, d_model] and `table` [vocab, d_model] of one type, `bias` [vocab] in float, `targets`
  /// [tokens], `weights` [tokens] or undefined.
  struct Inputs {
    Tensor states, table, bias, targets, weights;
    kernels::SmoothedTarget target;
    double r_drop;
  };

  BlockedGenerator(Inputs inputs, bool learn)
      : in_(std::move(inputs)),
        passes_(in_.r_drop > 0 ? 2 : 1),
        tokens_(in_.targets.size(0)),
        step_(std::min(GeneratorBlock::rows(in_.table.size(0)) / passes_, tokens_)),
        block_(in_.table, passes_ * step_, learn),
        memory_(at::empty({4, in_.table.size(0)}, in_.bias.options())) {
    if (learn) of_states_ = at::empty_like(in_.states);
  }

  void run() {
    for (int64_t first = 0; first < tokens_; first += step_) run_block(first, std::min(step_, tokens_ - first));
  }

  /// Gradients; the first two are undefined without `learn`.
  variable_list gradients() const { return {of_states_, block_.of_weight, block_.of_bias}; }

  kernels::LossSums sums;

 private:
  Tensor rows_of(const Tensor& all, int64_t pass, int64_t first, int64_t count) const {
    return all.narrow(0, pass * tokens_ + first, count);
  }

  void run_block(int64_t first, int64_t count) {
    const Tensor some = passes_ == 1
                            ? rows_of(in_.states, 0, first, count)
                            : at::cat({rows_of(in_.states, 0, first, count), rows_of(in_.states, 1, first, count)});
    const Tensor of_some = block_.run(some, [&](const Tensor& products) {
      for_cpu_type(products, [&](auto element) { add_losses<decltype(element)>(products, first, count); });
    });
    if (!of_states_.defined()) return;
    for (int64_t pass = 0; pass < passes_; ++pass) {
      rows_of(of_states_, pass, first, count).copy_(of_some.narrow(0, pass * count, count));
    }
  }

  /// Turns the products into the gradient with respect to them.
  template <typename T>
  void add_losses(const Tensor& products, int64_t first, int64_t count) {
    const kernels::LogitRows<T> rows{data<T>(products),
                                     data<float>(in_.bias),
                                     count,
                                     in_.table.size(0),
                                     data<int64_t>(in_.targets) + first,
                                     in_.weights.defined() ? data<float>(in_.weights) + first : nullptr};
    float *bias_gradient = data<float>(block_.of_bias), *memory = data<float>(memory_);
    const auto part = passes_ == 2 ? kernels::paired_loss_kernel<T>()(rows, in_.target, static_cast<float>(in_.r_drop),
                                                                      bias_gradient, memory)
                                   : kernels::smoothed_loss_kernel<T>()(rows, in_.target, bias_gradient, memory);
    sums.loss += part.loss;
    sums.nll += part.nll;
  }

  Inputs in_;
  int64_t passes_, tokens_, step_;
  GeneratorBlock block_;
  Tensor memory_, of_states_;
};

/// The same for autograd. The gradients are computed in the forward pass already.
struct CpuGeneratorLoss : torch::autograd::Function<CpuGeneratorLoss> {
  static variable_list forward(AutogradContext* context, const Tensor& hidden, const Tensor& weight, const Tensor& bias,
                               const Tensor& targets, double smoothing, int64_t pad, double r_drop, bool bf16,
                               bool learn, const std::optional<Tensor>& of_tokens) {
    const auto type = bf16 ? torch::kBFloat16 : torch::kFloat;
    const Smoothing spread(smoothing, weight.size(0));
    const kernels::SmoothedTarget target = spread.around(pad);
    BlockedGenerator generator({hidden.to(type).contiguous(), weight.to(type).contiguous(), bias, targets,
                                of_tokens.value_or(Tensor()), target, r_drop},
                               learn);
    generator.run();
    context->save_for_backward(generator.gradients());
    const Tensor nll = at::scalar_tensor(generator.sums.nll, bias.options());
    context->mark_non_differentiable({nll});
    return {at::scalar_tensor(generator.sums.loss, bias.options()), nll};
  }

  static variable_list backward(AutogradContext* context, const variable_list& outer) {
    const auto saved = context->get_saved_variables();
    variable_list gradients(10);
    const bool as_it_is = outer[0].item<float>() == 1;
    for (size_t i = 0; i < 3; ++i) {
      const Tensor gradient = saved[i].to(torch::kFloat);
      gradients[i] = as_it_is ? gradient : gradient * outer[0];
    }
    return gradients;
  }
};

}  // namespace

Tensor pair_divergence(const Tensor& logits, const Tensor& targets, int64_t pad, const Tensor& weights) {
  const auto halves = logits.to(torch::kFloat).log_softmax(-1).chunk(2);
  const Tensor apart = (halves[0].exp() - halves[1].exp()) * (halves[0] - halves[1]);  // both directions
  return weighted(apart.sum(-1).masked_fill(targets.eq(pad), 0), weights).sum() / 2;
}

namespace {

/// Checks sizes and targets, because the kernels do not.
void check_generator_loss(const Tensor& hidden, const Tensor& weight, const Tensor& bias, const Tensor& targets,
                          const GeneratorLossOptions& options) {
  const Tensor& weights = options.weights;
  const int64_t tokens = targets.numel(), vocab = weight.size(0);
  TORCH_CHECK(
      hidden.dim() == 2 && weight.dim() == 2 && targets.dim() == 1 && hidden.size(1) == weight.size(1) &&
          hidden.size(0) == (options.r_drop > 0 ? 2 : 1) * tokens && bias.numel() == vocab &&
          (!weights.defined() || weights.numel() == tokens),
      "generator_loss: expected hidden [tokens, d_model] (twice the tokens for r_drop), weight [vocab, d_model], "
      "bias [vocab], targets [tokens], got ",
      hidden.sizes(), ", ", weight.sizes(), ", ", bias.sizes(), ", ", targets.sizes());
  const auto is_float = [](const Tensor& tensor) { return !tensor.defined() || tensor.scalar_type() == torch::kFloat; };
  TORCH_CHECK(targets.scalar_type() == torch::kLong && is_float(bias) && is_float(weights),
              "generator_loss: expected long targets, float bias and weights");
  TORCH_CHECK(options.pad >= 0 && options.pad < vocab && options.smoothing >= 0 && options.smoothing < 1,
              "generator_loss: expected padding in [0, ", vocab, ") and smoothing in [0, 1), got ", options.pad,
              " and ", options.smoothing);
  if (!targets.is_cpu() || tokens == 0) return;
  const auto [smallest, greatest] = targets.aminmax();
  const auto least = smallest.item<int64_t>(), most = greatest.item<int64_t>();
  TORCH_CHECK(least >= 0 && most < vocab, "generator_loss: expected targets in [0, ", vocab, "), got ", least, " to ",
              most);
}

}  // namespace

LossResult generator_loss(const Tensor& hidden, const Tensor& weight, const Tensor& bias, const Tensor& targets,
                          const GeneratorLossOptions& options) {
  check_generator_loss(hidden, weight, bias, targets, options);
  const auto& [smoothing, pad, r_drop, weights] = options;
  if (has_cpu_kernels(hidden) && weight.scalar_type() == torch::kFloat) {
    const bool bf16 = at::autocast::is_autocast_enabled(at::kCPU);
    const auto both = CpuGeneratorLoss::apply(hidden, weight, bias, targets.contiguous(), smoothing, pad, r_drop, bf16,
                                              at::GradMode::is_enabled(), optional_of(weights));
    return {both[0], both[1]};
  }
  const Tensor logits = linear(hidden, weight, bias);
  if (r_drop == 0) return label_smoothed_loss(logits, targets, smoothing, pad, weights);
  const Tensor of_both = weights.defined() ? torch::cat({weights, weights}) : weights;
  LossResult result = label_smoothed_loss(logits, torch::cat({targets, targets}), smoothing, pad, of_both);
  result.loss = result.loss + r_drop * pair_divergence(logits, targets, pad, weights);
  return result;
}

LossResult label_smoothed_loss(const Tensor& logits, const Tensor& targets, double smoothing, int64_t pad,
                               const Tensor& weights) {
  TORCH_CHECK(logits.dim() == 2 && targets.dim() == 1 && logits.size(0) == targets.size(0),
              "label_smoothed_loss: expected logits [tokens, vocab] and targets [tokens], got ", logits.sizes(),
              " and ", targets.sizes());
  TORCH_CHECK(smoothing >= 0 && smoothing < 1, "label_smoothed_loss: smoothing must be in [0, 1), got ", smoothing);
  if (gpu::has_kernels(logits)) {
    const auto target = Smoothing(smoothing, logits.size(1)).around(pad);
    const auto [loss, nll] = gpu::smoothed_loss(logits, targets, weights, target);
    return {loss, nll};
  }
  const auto both = LabelSmoothedLoss::apply(logits, targets, smoothing, pad, optional_of(weights));
  return {both[0], both[1]};
}

}  // namespace ventris::nn
