#include "nn/norm.h"

#include <ATen/Parallel.h>
#include <ATen/autocast_mode.h>

#include <type_traits>

#include "architecture/transformer_fields.h"
#include "gpu/gpu_functions.h"
#include "gpu/gpu_program.h"
#include "kernels/layer_norm_kernels.h"
#include "nn/cpu_types.h"

namespace ventris::nn {
namespace {

using kernels::BFloat16;
using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr int64_t kRowGrain = 256;  // rows

/// Rows begin, begin + 1, ... of x [rows, width] and of moments [2, rows]: the means and the inverse deviations.
kernels::NormRows rows_of(const Tensor& x, const Tensor& gain, const Tensor& moments, int64_t begin, int64_t count) {
  float* means = data<float>(moments);
  return {data<float>(x) + begin * x.size(1), data<float>(gain), count, x.size(1), means + begin,
          means + x.size(0) + begin};
}

/// x in f32 -> x and its layer norm, which has type T.
template <typename T>
struct Branch : torch::autograd::Function<Branch<T>> {
  static constexpr auto kType = std::is_same_v<T, float> ? torch::kFloat : torch::kBFloat16;

  static variable_list forward(AutogradContext* context, const Tensor& x, const Tensor& gain, const Tensor& bias,
                               double epsilon) {
    const Tensor rows = x.contiguous().view({-1, x.size(-1)});
    const Tensor moments = at::empty({2, rows.size(0)}, rows.options());
    Tensor out = at::empty(x.sizes(), x.options().dtype(kType));
    at::parallel_for(0, rows.size(0), kRowGrain, [&](int64_t begin, int64_t end) {
      kernels::layer_norm_kernels<T>().forward(rows_of(rows, gain, moments, begin, end - begin), data<float>(bias),
                                               static_cast<float>(epsilon), data<T>(out) + begin * rows.size(1));
    });
    context->save_for_backward({rows, gain, moments});
    context->set_materialize_grads(false);
    return {x, out};
  }

  static variable_list backward(AutogradContext* context, const variable_list& outer) {
    if (!outer[1].defined()) return {outer[0], Tensor(), Tensor(), Tensor()};
    const auto saved = context->get_saved_variables();
    const Tensor &rows = saved[0], &gain = saved[1];
    const Tensor of_out = outer[1].to(kType).contiguous();
    const Tensor residual = outer[0].defined() ? outer[0].contiguous() : Tensor();
    const Tensor of_x = at::empty(outer[1].sizes(), rows.options()), of_gain = at::zeros_like(gain);
    const Tensor of_bias = at::zeros_like(gain);
    kernels::layer_norm_kernels<T>().backward(rows_of(rows, gain, saved[2], 0, rows.size(0)), data<T>(of_out),
                                              residual.defined() ? data<float>(residual) : nullptr, data<float>(of_x),
                                              data<float>(of_gain), data<float>(of_bias));
    return {of_x, of_gain, of_bias, Tensor()};
  }
};

}  // namespace

NormImpl::NormImpl(NormKind kind, int64_t width, double epsilon) : kind_(kind), epsilon_(epsilon) {
  weight = register_parameter("weight", torch::ones({width}));
  if (kind == NormKind::kLayer) bias = register_parameter("bias", torch::zeros({width}));
}

/// Whether a layer norm of x is best computed by the GPU's kernels, which keep what its gradient needs.
bool NormImpl::learns_on_gpu(const Tensor& x) const {
  return at::GradMode::is_enabled() && x.scalar_type() == torch::kFloat && weight.scalar_type() == torch::kFloat &&
         x.size(-1) == weight.numel() && gpu::has_kernels(x);
}

Tensor NormImpl::forward(const Tensor& x) {
  switch (kind_) {
    case NormKind::kLayer:
      if (learns_on_gpu(x)) return gpu::norm_branch(x, weight, bias, epsilon_, torch::kFloat).second;
      return at::layer_norm(x, weight.sizes(), weight, bias, epsilon_);
    case NormKind::kRms: return at::rms_norm(x, weight.sizes(), weight, epsilon_);
  }
  return {};
}

std::pair<Tensor, Tensor> NormImpl::branch(const Tensor& x) {
  const bool bf16 = x.is_cpu() && at::autocast::is_autocast_enabled(at::kCPU);
  switch (kind_) {
    case NormKind::kLayer: return layer_branch(x, bf16);
    case NormKind::kRms: return {x, bf16 ? forward(x).to(torch::kBFloat16) : forward(x)};
  }
  return {};
}

std::pair<Tensor, Tensor> NormImpl::layer_branch(const Tensor& x, bool bf16) {
  if (learns_on_gpu(x)) {
    const bool brief = at::autocast::is_autocast_enabled(at::kCUDA);
    return gpu::norm_branch(x, weight, bias, epsilon_, brief ? torch::kBFloat16 : torch::kFloat);
  }
  const bool fused = bf16 || at::GradMode::is_enabled();
  TORCH_CHECK(x.dim() > 0 && x.size(-1) == weight.numel(), "Norm: expected x [..., ", weight.numel(), "], got ",
              x.sizes());  // the kernels do not check it
  if (!fused || !x.is_cpu() || x.scalar_type() != torch::kFloat || weight.scalar_type() != torch::kFloat) {
    return {x, forward(x)};
  }
  const auto both =
      bf16 ? Branch<BFloat16>::apply(x, weight, bias, epsilon_) : Branch<float>::apply(x, weight, bias, epsilon_);
  return {both[0], both[1]};
}

void NormImpl::pretty_print(std::ostream& out) const {
  out << "ventris::nn::Norm(" << core::name_of(kind_, architecture::norm_kinds()) << ", width=" << weight.numel()
      << ", epsilon=" << epsilon_ << ")";
}

}  // namespace ventris::nn
