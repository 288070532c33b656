#include "attention/kernel_regression.h"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace ventris::attention {
namespace {

using torch::Tensor;

/// squares [..., q_len, k_len]: squared distances in widths; mask as in forward().
Tensor gaussian_weights(const Tensor& squares, const Tensor& mask) {
  const Tensor scores = -squares / 2;
  if (!mask.defined()) return scores.softmax(-1);
  const Tensor blind = mask.any(-1, /*keepdim=*/true).logical_not();  // -inf everywhere would give NaN
  const Tensor hidden = mask.logical_or(blind).logical_not();
  return scores.masked_fill(hidden, -std::numeric_limits<double>::infinity()).softmax(-1).masked_fill(blind, 0);
}

/// Divides rows by their sums; rows of zeros stay.
Tensor divided_by_sums(const Tensor& x) {
  const Tensor sums = x.sum(-1, /*keepdim=*/true);
  return x / sums.masked_fill(sums.eq(0), 1);
}

const char* name_of(RegressionKernel kernel) {
  if (kernel == RegressionKernel::kGaussian) return "gaussian";
  return kernel == RegressionKernel::kBoxcar ? "boxcar" : "epanechnikov";
}

}  // namespace

KernelRegressionImpl::KernelRegressionImpl(const KernelRegressionOptions& settings) : options(settings) {
  if (!(options.width() > 0) || !std::isfinite(options.width())) {
    throw std::invalid_argument("KernelRegression: width must be finite and over 0, got " +
                                std::to_string(options.width()));
  }
  if (options.learned() && options.kernel() == RegressionKernel::kBoxcar) {
    throw std::invalid_argument("KernelRegression: the width of a boxcar has no gradient and cannot be learned");
  }
  const Tensor first = torch::tensor(std::log(options.width()), torch::kFloat);
  log_width = options.learned() ? register_parameter("log_width", first) : register_buffer("log_width", first);
}

Tensor KernelRegressionImpl::weights(const Tensor& query, const Tensor& key, const Tensor& mask) const {
  TORCH_CHECK(query.dim() >= 2 && key.dim() >= 2 && query.size(-1) == key.size(-1),
              "KernelRegression: expected queries [..., q_len, features] and keys [..., k_len, features], got ",
              query.sizes(), ", ", key.sizes());
  const Tensor differences = (query.unsqueeze(-2) - key.unsqueeze(-3)) / width();  // [..., q_len, k_len, features]
  const Tensor squares = differences.square().sum(-1);
  if (options.kernel() == RegressionKernel::kGaussian) return gaussian_weights(squares, mask);
  const bool boxcar = options.kernel() == RegressionKernel::kBoxcar;
  const Tensor found = boxcar ? squares.le(1).to(squares.scalar_type()) : (1 - squares).clamp_min(0);
  return divided_by_sums(mask.defined() ? found * mask : found);
}

Tensor KernelRegressionImpl::forward(const Tensor& query, const Tensor& key, const Tensor& value, const Tensor& mask) {
  TORCH_CHECK(value.dim() >= 2 && value.size(-2) == key.size(-2),
              "KernelRegression: expected as many values as keys, got ", value.sizes(), " for ", key.sizes());
  return at::matmul(weights(query, key, mask), value);
}

void KernelRegressionImpl::pretty_print(std::ostream& out) const {
  out << "ventris::attention::KernelRegression(" << name_of(options.kernel()) << ", width=" << width().item<double>()
      << (options.learned() ? ", learned)" : ")");
}

}  // namespace ventris::attention
