#pragma once
#include <torch/torch.h>

#include "architecture/relative_buckets.h"

namespace ventris::attention {

/// What the heads of self-attention add to the scores of a query and a key, by their distance. All layers of a side
/// have the same one. Source: Raffel et al. 2020 (T5), section 2.1.
class RelativeBiasImpl : public torch::nn::Module {
 public:
  RelativeBiasImpl(const architecture::RelativeBuckets& buckets, int64_t heads);

  /// The terms of all pairs in a sequence: [1, heads, len, len], queries before keys.
  torch::Tensor forward(int64_t len);
  /// Those of queries at `positions` [rows] (long) and the keys 0 to count - 1: [rows, heads, 1, count].
  torch::Tensor at(const torch::Tensor& positions, int64_t count);

  void pretty_print(std::ostream& out) const override;

  torch::Tensor weight;  ///< [buckets, heads], at first small random numbers
  torch::Tensor starts;  ///< RelativeBuckets::starts() (long), a buffer

 private:
  torch::Tensor terms_of(const torch::Tensor& distances);

  architecture::RelativeBuckets buckets_;
};
TORCH_MODULE(RelativeBias);

}  // namespace ventris::attention
