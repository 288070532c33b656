#include "nn/step_rows.h"

#include <algorithm>

namespace ventris::nn {

using torch::Tensor;

Tensor stack_rows(const Tensor& all, const Tensor& more, int64_t dim) {
  if (!all.defined() || all.size(0) == 0) return more;
  const auto padded = [&](const Tensor& x, int64_t length) {
    auto sizes = x.sizes().vec();
    sizes[static_cast<size_t>(dim)] = length - x.size(dim);
    return sizes[static_cast<size_t>(dim)] == 0 ? x : torch::cat({x, torch::zeros(sizes, x.options())}, dim);
  };
  const int64_t length = std::max(all.size(dim), more.size(dim));
  return torch::cat({padded(all, length), padded(more, length)}, 0);
}

}  // namespace ventris::nn
