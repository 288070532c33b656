#pragma once
#include <torch/torch.h>

#include <cstdint>
#include <vector>

#include "nn/module_parameters.h"

namespace ventris::distributed {

/// Memory for the gradients of a model in a few flat tensors, so that processes sum them in few large messages. A
/// backward pass finishes the parameters from the last to the first. Therefore buckets begin with the last parameter,
/// and the first bucket is summed while the others are still computed (Li et al. 2020, PyTorch Distributed).
class GradientBuckets {
 public:
  /// A bucket is full at `bytes`, the first one already at `first_bytes`, so that the first message is sent soon. Each
  /// bucket has at least one parameter.
  explicit GradientBuckets(const std::vector<nn::NamedParameter>& parameters, int64_t first_bytes = 1 << 20,
                           int64_t bytes = 25 << 20);

  size_t size() const { return buckets_.size(); }

  /// The parameters in a bucket.
  const std::vector<size_t>& members(size_t bucket) const { return buckets_[bucket].members; }

  /// The flat tensor of a bucket: f32 [elements of its parameters].
  const torch::Tensor& flat(size_t bucket) const { return buckets_[bucket].flat; }

  /// The gradients of the parameters, with their shapes, as views of the flat tensors.
  const std::vector<torch::Tensor>& gradients() const { return gradients_; }

 private:
  struct Bucket {
    std::vector<size_t> members;
    torch::Tensor flat;
  };
  void allot(const std::vector<nn::NamedParameter>& parameters, std::vector<size_t> members);

  std::vector<Bucket> buckets_;
  std::vector<torch::Tensor> gradients_;
};

}  // namespace ventris::distributed
