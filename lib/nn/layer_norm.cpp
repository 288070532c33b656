#include "nn/layer_norm.h"

#include <ATen/Parallel.h>
#include <ATen/autocast_mode.h>

#include "kernels/layer_norm.h"
#include "nn/cpu_types.h"

namespace ventris::nn {
namespace {

using kernels::BFloat16;
using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr int64_t kGrain = 256;  // rows

/// Rows begin, begin + 1, ... of x [rows, width] and of moments [2, rows]: the means and the inverse deviations.
kernels::NormRows rows_of(const Tensor& x, const Tensor& gain, const Tensor& moments, int64_t begin, int64_t count) {
  float* means = data<float>(moments);
  return {data<float>(x) + begin * x.size(1), data<float>(gain), count, x.size(1), means + begin,
          means + x.size(0) + begin};
}

/// x in f32, the result in bf16.
struct Bf16LayerNorm : torch::autograd::Function<Bf16LayerNorm> {
  static Tensor forward(AutogradContext* context, const Tensor& x, const Tensor& gain, const Tensor& bias,
                        double epsilon) {
    const Tensor rows = x.contiguous().view({-1, x.size(-1)});
    const Tensor moments = at::empty({2, rows.size(0)}, rows.options());
    Tensor out = at::empty(x.sizes(), x.options().dtype(torch::kBFloat16));
    at::parallel_for(0, rows.size(0), kGrain, [&](int64_t begin, int64_t end) {
      kernels::layer_norm_kernels<BFloat16>().forward(rows_of(rows, gain, moments, begin, end - begin),
                                                      data<float>(bias), static_cast<float>(epsilon),
                                                      data<BFloat16>(out) + begin * rows.size(1));
    });
    context->save_for_backward({rows, gain, moments});
    return out;
  }

  static variable_list backward(AutogradContext* context, const variable_list& outer) {
    const auto saved = context->get_saved_variables();
    const Tensor &rows = saved[0], &gain = saved[1];
    const Tensor of_out = outer[0].to(torch::kBFloat16).contiguous();
    const Tensor of_x = at::empty(outer[0].sizes(), rows.options()), of_gain = at::zeros_like(gain);
    const Tensor of_bias = at::zeros_like(gain);
    kernels::layer_norm_kernels<BFloat16>().backward(rows_of(rows, gain, saved[2], 0, rows.size(0)),
                                                     data<BFloat16>(of_out), data<float>(of_x), data<float>(of_gain),
                                                     data<float>(of_bias));
    return {of_x, of_gain, of_bias, Tensor()};
  }
};

}  // namespace

Tensor LayerNormImpl::for_products(const Tensor& x) {
  const bool bf16 = x.is_cpu() && x.scalar_type() == torch::kFloat && weight.scalar_type() == torch::kFloat &&
                    at::autocast::is_autocast_enabled(at::kCPU);
  return bf16 ? Bf16LayerNorm::apply(x, weight, bias, options.eps()) : forward(x);
}

}  // namespace ventris::nn
