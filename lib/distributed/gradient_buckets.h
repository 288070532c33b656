#pragma once
#include <torch/torch.h>

#include <cstdint>
#include <vector>

#include "nn/parameters.h"

namespace ventris::distributed {

/// Room for the gradients of a model in a few flat tensors, so that processes sum them in few and large messages. A
/// backward pass finishes the parameters from the last to the first; so the buckets are filled from the last one, and
/// the sum of the first bucket is under way while the rest is still computed (Li et al. 2020, PyTorch Distributed).
class GradientBuckets {
 public:
  /// A bucket is full at `bytes`, the first one at `first_bytes`, so that something is sent soon; each holds at least
  /// one parameter.
  explicit GradientBuckets(const std::vector<nn::NamedParameter>& parameters, int64_t first_bytes = 1 << 20,
                           int64_t bytes = 25 << 20);

  size_t size() const { return buckets_.size(); }

  /// Which parameters are in a bucket.
  const std::vector<size_t>& members(size_t bucket) const { return buckets_[bucket].members; }

  /// All of a bucket: f32 [elements of its members].
  const torch::Tensor& flat(size_t bucket) const { return buckets_[bucket].flat; }

  /// The gradients by parameter, of the parameters' shapes: views of the flat tensors.
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
