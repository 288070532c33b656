#include "nn/masks.h"

namespace ventris::nn {

torch::Tensor subsequent_mask(int64_t size, torch::Device device) {
  return torch::ones({1, size, size}, torch::dtype(torch::kBool).device(device)).tril();
}

torch::Tensor padding_mask(const torch::Tensor& ids, int64_t pad) { return ids.ne(pad).unsqueeze(1); }

torch::Tensor length_mask(const torch::Tensor& lengths, int64_t most) {
  return torch::arange(most, lengths.options()).unsqueeze(0).lt(lengths.unsqueeze(1)).unsqueeze(1);
}

torch::Tensor target_mask(const torch::Tensor& ids, int64_t pad) {
  return padding_mask(ids, pad).logical_and(subsequent_mask(ids.size(1), ids.device()));
}

}  // namespace ventris::nn
