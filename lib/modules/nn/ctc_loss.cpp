#include "nn/ctc_loss.h"

#include <ATen/autocast_mode.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/ctc_kernels.h"
#include "kernels/softmax_rows.h"
#include "nn/cpu_types.h"
#include "nn/generator_block.h"

namespace ventris::nn {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// Columns of the symbols of a sentence: the blank, then its tokens.
std::vector<int64_t> columns_of(const CtcTargets& targets, size_t sentence) {
  std::vector<int64_t> columns{targets.blank};
  const auto* ids = targets.ids.const_data_ptr<int64_t>() + static_cast<int64_t>(sentence) * targets.ids.size(1);
  columns.insert(columns.end(), ids, ids + targets.tokens[sentence]);
  return columns;
}

/// The logits at some columns [rows, columns.size()], less the log-sums of the rows, if given.
template <typename T>
std::vector<float> at_columns(const kernels::ProductRows<T>& in, const std::vector<int64_t>& columns,
                              const float* log_sums) {
  std::vector<float> found;
  found.reserve(static_cast<size_t>(in.rows) * columns.size());
  for (int64_t i = 0; i < in.rows; ++i) {
    const float shift = log_sums == nullptr ? 0 : log_sums[i];
    for (const int64_t column : columns) {
      found.push_back(kernels::as_float(in.products[i * in.vocab + column]) + in.bias[column] - shift);
    }
  }
  return found;
}

/// Computes the products of whole sentences, block by block, and gives those of each sentence to a function.
class SentenceBlocks {
 public:
  /// hidden [sentences, len, d_model] and table [vocab, d_model] have the type of the products.
  SentenceBlocks(Tensor hidden, const Tensor& table, const Tensor& bias, const CtcTargets& targets, bool learn)
      : hidden_(std::move(hidden)),
        bias_(bias.contiguous()),
        targets_(targets),
        learn_(learn),
        most_(std::max(GeneratorBlock::rows(table.size(0)), *std::ranges::max_element(targets.positions))),
        block_(table, most_, learn),
        memory_(at::empty({table.size(0)}, bias_.options())) {
    if (learn) of_hidden_ = at::zeros_like(hidden_);
  }

  /// Calls work(ProductRows of a sentence, its number); work turns the products into their gradient, with `learn`.
  template <typename Work>
  void run(Work&& work) {
    size_t first = 0;
    while (first < targets_.positions.size()) {
      int64_t rows = 0;
      size_t last = first;
      while (last < targets_.positions.size() && rows + targets_.positions[last] <= most_) {
        rows += targets_.positions[last++];
      }
      run_block(first, last, work);
      first = last;
    }
  }

  float* memory() { return data<float>(memory_); }
  float* of_bias() { return data<float>(block_.of_bias); }
  variable_list gradients() const { return {of_hidden_, block_.of_weight, block_.of_bias}; }

 private:
  Tensor rows_of(const Tensor& all, size_t sentence) const {
    return all.select(0, static_cast<int64_t>(sentence)).narrow(0, 0, targets_.positions[sentence]);
  }

  template <typename Work>
  void run_block(size_t first, size_t last, Work& work) {
    std::vector<Tensor> parts;
    for (size_t i = first; i < last; ++i) parts.push_back(rows_of(hidden_, i));
    const Tensor of_some = block_.run(at::cat(parts), [&](const Tensor& products) {
      for_cpu_type(products, [&](auto element) {
        auto* row = data<decltype(element)>(products);
        const int64_t vocab = products.size(1);
        for (size_t i = first; i < last; ++i) {
          work(kernels::ProductRows{row, data<float>(bias_), targets_.positions[i], vocab}, i);
          row += targets_.positions[i] * vocab;
        }
      });
    });
    if (!learn_) return;
    int64_t row = 0;
    for (size_t i = first; i < last; ++i) {
      rows_of(of_hidden_, i).copy_(of_some.narrow(0, row, targets_.positions[i]));
      row += targets_.positions[i];
    }
  }

  Tensor hidden_, bias_;
  const CtcTargets& targets_;
  bool learn_;
  int64_t most_;
  GeneratorBlock block_;
  Tensor memory_, of_hidden_;
};

/// Adds up the losses of the sentences, and turns their products into gradients.
class CtcSum {
 public:
  CtcSum(SentenceBlocks& blocks, const CtcTargets& targets, const float* weights, bool learn)
      : blocks_(blocks), targets_(targets), weights_(weights), learn_(learn) {}

  template <typename T>
  void operator()(const kernels::ProductRows<T>& in, size_t sentence) {
    const auto& kernel = kernels::softmax_rows_kernels<T>();
    std::vector<float> log_sums(static_cast<size_t>(in.rows));
    kernel.log_sums(in, blocks_.memory(), log_sums.data());
    const std::vector<int64_t> columns = columns_of(targets_, sentence);
    const std::vector<float> log_probs = at_columns(in, columns, log_sums.data());
    std::vector<float> posteriors(learn_ ? log_probs.size() : 0);
    const double loss = kernels::ctc_posteriors(log_probs, std::span(columns).subspan(1), posteriors);
    const float weight = std::isinf(loss) ? 0 : weights_[sentence];
    if (weight != 0) total += weight * loss;
    if (!learn_) return;
    if (weight == 0) {
      std::fill_n(in.products, in.rows * in.vocab, T{});
      return;
    }
    const kernels::SymbolShares shares{columns.data(), static_cast<int64_t>(columns.size()), posteriors.data()};
    kernel.gradient(in, log_sums.data(), shares, weight, blocks_.memory(), blocks_.of_bias());
  }

  double total = 0;

 private:
  SentenceBlocks& blocks_;
  const CtcTargets& targets_;
  const float* weights_;
  bool learn_;
};

torch::ScalarType product_type() {
  return at::autocast::is_autocast_enabled(at::kCPU) ? torch::kBFloat16 : torch::kFloat;
}

/// For autograd. The gradients are computed in the forward pass already.
struct CpuCtcLoss : torch::autograd::Function<CpuCtcLoss> {
  static Tensor forward(AutogradContext* context, const Tensor& hidden, const Tensor& weight, const Tensor& bias,
                        const CtcTargets& targets, const Tensor& weights, bool learn) {
    const auto type = product_type();
    SentenceBlocks blocks(hidden.to(type), weight.to(type).contiguous(), bias, targets, learn);
    CtcSum sum(blocks, targets, data<float>(weights), learn);
    blocks.run(sum);
    if (learn) context->save_for_backward(blocks.gradients());
    context->saved_data["type"] = static_cast<int64_t>(hidden.scalar_type());
    return at::scalar_tensor(sum.total, bias.options());
  }

  static variable_list backward(AutogradContext* context, const variable_list& outer) {
    const auto saved = context->get_saved_variables();
    const auto type = static_cast<torch::ScalarType>(context->saved_data["type"].toInt());
    variable_list gradients(6);
    const bool as_it_is = outer[0].item<float>() == 1;
    for (size_t i = 0; i < 3; ++i) {
      const Tensor gradient = saved[i].to(i == 0 ? type : torch::kFloat);
      gradients[i] = as_it_is ? gradient : gradient * outer[0];
    }
    return gradients;
  }
};

/// `what` names the caller.
void check(const char* what, const Tensor& hidden, const Tensor& weight, const Tensor& bias,
           const CtcTargets& targets) {
  const auto sentences = static_cast<int64_t>(targets.tokens.size());
  const auto within = [](const std::vector<int64_t>& numbers, int64_t least, int64_t most) {
    return std::ranges::all_of(numbers, [&](int64_t number) { return number >= least && number <= most; });
  };
  TORCH_CHECK(hidden.dim() == 3 && weight.dim() == 2 && targets.ids.dim() == 2 && sentences > 0 &&
                  hidden.size(0) == sentences && targets.ids.size(0) == sentences &&
                  static_cast<int64_t>(targets.positions.size()) == sentences && hidden.size(2) == weight.size(1) &&
                  bias.numel() == weight.size(0),
              what,
              ": expected hidden [sentences, len, d_model], weight [vocab, d_model], bias [vocab], targets "
              "[sentences, longest] and as many numbers of tokens and positions, got ",
              hidden.sizes(), ", ", weight.sizes(), ", ", bias.sizes(), ", ", targets.ids.sizes(), ", ", sentences,
              " and ", targets.positions.size());
  TORCH_CHECK(targets.ids.scalar_type() == torch::kLong && bias.scalar_type() == weight.scalar_type(), what,
              ": expected long targets and a bias of the type of the weight, got ", targets.ids.scalar_type(), ", ",
              bias.scalar_type(), " and ", weight.scalar_type());
  TORCH_CHECK(within(targets.tokens, 0, targets.ids.size(1)), what, ": expected 0 to ", targets.ids.size(1),
              " tokens, got ", targets.tokens);
  TORCH_CHECK(within(targets.positions, 1, hidden.size(1)), what, ": expected 1 to ", hidden.size(1),
              " positions, got ", targets.positions);
  TORCH_CHECK(targets.blank >= 0 && targets.blank < weight.size(0), what, ": expected a blank in [0, ", weight.size(0),
              "), got ", targets.blank);
  if (targets.ids.numel() == 0 || !targets.ids.is_cpu()) return;
  const auto [least, most] = targets.ids.aminmax();
  TORCH_CHECK(least.item<int64_t>() >= 0 && most.item<int64_t>() < weight.size(0), what, ": expected targets in [0, ",
              weight.size(0), "), got ", least.item<int64_t>(), " to ", most.item<int64_t>());
}

bool has_blocks(const Tensor& hidden, const Tensor& weight) {
  return has_cpu_kernels(hidden) && weight.scalar_type() == torch::kFloat;
}

/// All logits at once; copies only what is asked for to the host.
std::vector<SymbolLogits> symbols_of_all(const Tensor& hidden, const Tensor& weight, const Tensor& bias,
                                         const CtcTargets& targets) {
  const Tensor logits = at::linear(hidden, weight, bias);
  const Tensor symbols = at::constant_pad_nd(targets.ids, {1, 0}, targets.blank).to(logits.device());
  const Tensor wanted = logits.gather(2, symbols.unsqueeze(1).expand({-1, logits.size(1), -1}));
  const Tensor all = wanted.to(torch::kCPU, torch::kFloat), best = logits.argmax(2).to(torch::kCPU).contiguous();
  std::vector<SymbolLogits> found;
  for (size_t i = 0; i < targets.tokens.size(); ++i) {
    const auto row = static_cast<int64_t>(i);
    const Tensor own = all[row].narrow(0, 0, targets.positions[i]).narrow(1, 0, targets.tokens[i] + 1).contiguous();
    const auto* first = best.const_data_ptr<int64_t>() + row * best.size(1);
    found.push_back({{first, first + targets.positions[i]},
                     {own.const_data_ptr<float>(), own.const_data_ptr<float>() + own.numel()}});
  }
  return found;
}

/// All logits at once, on any device.
Tensor whole_ctc_loss(const Tensor& hidden, const Tensor& weight, const Tensor& bias, const CtcTargets& targets,
                      const Tensor& weights) {
  const Tensor log_probs = at::linear(hidden, weight, bias).to(torch::kFloat).log_softmax(-1).transpose(0, 1);
  const Tensor losses = at::ctc_loss(log_probs, targets.ids, targets.positions, targets.tokens, targets.blank,
                                     at::Reduction::None, /*zero_infinity=*/true);
  return (losses * weights).sum();
}

}  // namespace

Tensor generator_ctc_loss(const Tensor& hidden, const Tensor& weight, const Tensor& bias, const CtcTargets& targets,
                          const Tensor& weights) {
  check("generator_ctc_loss", hidden, weight, bias, targets);
  TORCH_CHECK(weights.numel() == hidden.size(0) && weights.scalar_type() == torch::kFloat,
              "generator_ctc_loss: expected ", hidden.size(0), " float weights, got ", weights.sizes(), " of type ",
              weights.scalar_type());
  if (!has_blocks(hidden, weight)) return whole_ctc_loss(hidden, weight, bias, targets, weights);
  CtcTargets own = targets;
  own.ids = targets.ids.to(torch::kCPU).contiguous();
  return CpuCtcLoss::apply(hidden, weight, bias, own, weights.to(torch::kCPU).contiguous(), at::GradMode::is_enabled());
}

std::vector<SymbolLogits> generator_symbols(const Tensor& hidden, const Tensor& weight, const Tensor& bias,
                                            const CtcTargets& targets) {
  check("generator_symbols", hidden, weight, bias, targets);
  const torch::NoGradGuard no_grad;
  CtcTargets own = targets;
  own.ids = targets.ids.to(torch::kCPU).contiguous();
  if (!has_blocks(hidden, weight)) return symbols_of_all(hidden, weight, bias, own);
  std::vector<SymbolLogits> found(own.tokens.size());
  const auto type = product_type();
  SentenceBlocks blocks(hidden.to(type), weight.to(type).contiguous(), bias, own, /*learn=*/false);
  blocks.run([&](const auto& in, size_t sentence) {
    SymbolLogits& symbols = found[sentence];
    symbols.best.resize(static_cast<size_t>(in.rows));
    symbols.logits = at_columns(in, columns_of(own, sentence), nullptr);
    kernels::softmax_rows_kernels<std::remove_pointer_t<decltype(in.products)>>().largest(in, blocks.memory(),
                                                                                          symbols.best.data());
  });
  return found;
}

}  // namespace ventris::nn
