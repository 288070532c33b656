#pragma once
#include <torch/torch.h>

#include "kernels/element_kernels.h"

namespace ventris::nn {

/// Whether our kernels support the device and type of this tensor.
inline bool has_cpu_kernels(const torch::Tensor& x) {
  return x.is_cpu() && (x.scalar_type() == torch::kFloat || x.scalar_type() == torch::kBFloat16);
}

/// Calls work(T()) where T is the kernels' type for x: float or kernels::BFloat16.
template <typename Work>
void for_cpu_type(const torch::Tensor& x, const Work& work) {
  if (x.scalar_type() == torch::kFloat) {
    work(float());
  } else {
    TORCH_CHECK(x.scalar_type() == torch::kBFloat16, "expected float or bfloat16, got ", x.scalar_type());
    work(kernels::BFloat16());
  }
}

/// The elements of a tensor of type T. The caller must not write to a tensor that it may not change.
template <typename T>
T* data(const torch::Tensor& x) {
  return static_cast<T*>(x.data_ptr());
}

}  // namespace ventris::nn
