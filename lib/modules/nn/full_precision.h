#pragma once
#include <torch/torch.h>

namespace ventris::nn {

/// While it lives, autocast is off on this thread.
class WithoutAutocast {
 private:
  c10::impl::ExcludeDispatchKeyGuard guard_{c10::autocast_dispatch_keyset};
};

/// x in f32 if its type is a shorter one, otherwise x.
inline torch::Tensor at_least_f32(const torch::Tensor& x) { return x.element_size() < 4 ? x.to(torch::kFloat) : x; }

/// The matrix products of a [..., n, m] and b [..., m, k], at least in f32, also under autocast. (In bf16, oneDNN would
/// keep some memory for every shape of a batch.)
inline torch::Tensor full_matmul(const torch::Tensor& a, const torch::Tensor& b) {
  const WithoutAutocast plain;
  return at::matmul(at_least_f32(a), at_least_f32(b));
}

}  // namespace ventris::nn
