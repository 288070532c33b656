#include "nn/linear.h"

#include <ATen/autocast_mode.h>

#include <algorithm>

#include "gpu/gpu_functions.h"
#include "gpu/gpu_program.h"
#include "nn/blocks.h"
#include "nn/cpu_types.h"

namespace ventris::nn {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr int64_t kBlockRows = 1024;

/// Calls work(x's rows, first row) for every block; the last one is padded with zeros.
template <typename Work>
void for_blocks(const Tensor& x, const Work& work) {
  for (int64_t first = 0; first < x.size(0); first += kBlockRows) {
    work(pad_rows(x.narrow(0, first, std::min(kBlockRows, x.size(0) - first))), first);
  }
}

/// x [rows, in] times table [in, out], plus bias [out].
Tensor multiply(const Tensor& x, const Tensor& table, const Tensor& bias) {
  const Tensor out = at::empty({padded_rows(x.size(0)), table.size(1)}, x.options());
  for_blocks(x, [&](const Tensor& block, int64_t first) {
    Tensor products = out.narrow(0, first, block.size(0));
    at::addmm_out(products, bias, block, table);
  });
  return out.narrow(0, 0, x.size(0));
}

struct Gradients {
  Tensor x;       ///< [rows, in]
  Tensor weight;  ///< [out, in], f32
  Tensor bias;    ///< [out], f32
};

/// The three gradients of a product x [rows, in] times table^T [in, out] plus a bias, from its gradient [rows, out].
/// Computed together, block by block, while a block is in the cache.
Gradients gradients_of(const Tensor& gradient, const Tensor& x, const Tensor& table) {
  const auto f32 = x.options().dtype(torch::kFloat);
  const Gradients result{at::empty({padded_rows(x.size(0)), x.size(1)}, x.options()), at::zeros(table.sizes(), f32),
                         at::zeros({table.size(0)}, f32)};
  for_blocks(gradient, [&](const Tensor& block, int64_t first) {
    const Tensor rows = pad_rows(x.narrow(0, first, std::min(kBlockRows, x.size(0) - first)));
    Tensor of_rows = result.x.narrow(0, first, block.size(0));
    at::mm_out(of_rows, block, table);
    accumulate(at::mm(block.t(), rows), result.weight);
    add_rows(block, result.bias);
  });
  return {result.x.narrow(0, 0, x.size(0)), result.weight, result.bias};
}

/// A linear layer in bf16 whose matrix products have few different shapes. For every new shape, oneDNN generates code
/// and tables and keeps some of them permanently. Without this, a run's memory grew by megabytes per update.
struct Bf16Linear : torch::autograd::Function<Bf16Linear> {
  static Tensor forward(AutogradContext* context, const Tensor& x, const Tensor& weight, const Tensor& bias) {
    const Tensor rows = x.to(torch::kBFloat16).reshape({-1, x.size(-1)});
    const Tensor table = weight.to(torch::kBFloat16);
    context->save_for_backward({rows, table});
    context->saved_data["type"] = static_cast<int64_t>(x.scalar_type());
    auto sizes = x.sizes().vec();
    sizes.back() = weight.size(0);
    return multiply(rows, table.t(), bias.to(torch::kBFloat16)).view(sizes);
  }

  static variable_list backward(AutogradContext* context, const variable_list& outer) {
    const auto saved = context->get_saved_variables();
    const Tensor &rows = saved[0], &table = saved[1];
    const auto gradients = gradients_of(outer[0].reshape({-1, table.size(0)}).contiguous(), rows, table);
    auto sizes = outer[0].sizes().vec();
    sizes.back() = table.size(1);
    const auto type = static_cast<torch::ScalarType>(context->saved_data["type"].toInt());
    return {gradients.x.to(type).view(sizes), gradients.weight, gradients.bias};
  }
};

}  // namespace

Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  if (at::GradMode::is_enabled() && at::autocast::is_autocast_enabled(at::kCUDA) &&
      weight.scalar_type() == torch::kFloat && gpu::has_kernels(x)) {
    return gpu::bf16_linear(x, weight, bias);
  }
  const bool bf16 =
      has_cpu_kernels(x) && weight.scalar_type() == torch::kFloat && at::autocast::is_autocast_enabled(at::kCPU);
  if (!bf16) return at::linear(x, weight, bias);
  return Bf16Linear::apply(x, weight, bias.defined() ? bias : at::zeros({weight.size(0)}, weight.options()));
}

}  // namespace ventris::nn
