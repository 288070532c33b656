#pragma once
#include <torch/torch.h>

#include "kernels/element_kernels.h"
#include "nn/cpu_types.h"

namespace ventris::nn {

/// On a CPU, matrix products use multiples of this number of rows; missing rows are zero. So there are few shapes.
/// (oneDNN generates code for each shape.)
constexpr int64_t kRowStep = 64;

inline int64_t padded_rows(int64_t rows) { return (rows + kRowStep - 1) / kRowStep * kRowStep; }

/// x [rows, width], followed by rows of zeros up to a multiple of kRowStep; x itself if none are missing.
inline torch::Tensor pad_rows(const torch::Tensor& x) {
  const int64_t missing = padded_rows(x.size(0)) - x.size(0);
  return missing == 0 ? x : at::constant_pad_nd(x, {0, 0, 0, missing});
}

/// sum += x in one pass. (torch makes a copy first if the types differ.) `sum` is f32; both must be contiguous.
inline void accumulate(const torch::Tensor& x, const torch::Tensor& sum) {
  for_cpu_type(x, [&](auto type) {
    using T = decltype(type);
    kernels::element_kernels<T>().accumulate(data<T>(x), data<float>(sum), sum.numel());
  });
}

/// sum [width] += the sum of the rows of x [rows, width], otherwise as accumulate(). (torch makes an f32 copy of x.)
inline void add_rows(const torch::Tensor& x, const torch::Tensor& sum) {
  for_cpu_type(x, [&](auto type) {
    using T = decltype(type);
    kernels::element_kernels<T>().add_rows(data<T>(x), data<float>(sum), x.size(0), x.size(1));
  });
}

}  // namespace ventris::nn
