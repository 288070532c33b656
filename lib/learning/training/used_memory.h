#pragma once
#include <torch/torch.h>

#include <cstdint>

namespace ventris::training {

/// Measures the memory of tensors on a device while it exists; there may be only one at a time, and no other thread may
/// compute when it begins or ends. On a CPU, LibTorch's allocator is replaced by one that counts; on a GPU, LibTorch
/// counts.
class UsedMemory {
 public:
  explicit UsedMemory(torch::Device device);
  ~UsedMemory();
  UsedMemory(const UsedMemory&) = delete;
  UsedMemory& operator=(const UsedMemory&) = delete;

  /// The peak is from now on that of what follows.
  void restart();

  /// Bytes of tensors since restart(): at most, beyond those that there were then.
  int64_t growth() const;

  /// Bytes of all memory that counts against training.batch_memory, now and at most since restart(): on a CPU resident
  /// memory of the process (the peak is that of its whole life where core::forget_peak_memory() does nothing), on a GPU
  /// what LibTorch has reserved. 0 = unknown.
  int64_t total() const;
  int64_t total_peak() const;

 private:
  torch::Device device_;
  int64_t before_ = 0;
};

}  // namespace ventris::training
