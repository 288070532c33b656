#pragma once
#include <torch/torch.h>

#include "attention/multi_head_attention.h"

namespace ventris::attention {

/// Which positions of a sequence see each other: those at most `size` apart. The first `globals` see all positions and
/// are seen by all.
struct Window {
  int64_t size;          ///< at least 1
  int64_t globals = 0;   ///< at least 0
  bool causal = false;   ///< no position sees a later one

  /// Keys that the next position of a causal sequence sees, itself included, at most.
  int64_t slots() const { return globals + size + 1; }
  /// The slot in [0, slots()) that keeps the key of this position until no later one sees it.
  int64_t slot(int64_t position) const {
    return position < slots() ? position : globals + (position - globals) % (size + 1);
  }
};

/// [1, len, len] bool, true = may look.
torch::Tensor window_mask(const Window& window, int64_t len, torch::Device device = torch::kCPU);

/// Self-attention within a window, in time and memory proportional to the length: blocks of `size` queries look at
/// their own block and its neighbours. Watched blocks, and sequences as short as the window, take the way of
/// MultiHeadAttention. Source: Beltagy et al. 2020 (Longformer), section 3.1, but global positions have the projections
/// of all others.
class WindowedAttentionImpl : public MultiHeadAttentionImpl {
 public:
  /// Throws std::invalid_argument for a window under 1 or global positions under 0.
  WindowedAttentionImpl(const MultiHeadAttentionOptions& settings, const Window& window);

  /// query, key and value: the same tensor [batch, len, d_model]. mask bool [batch|1, 1, len|1] or, if causal,
  /// [batch|1, len, len], whose last row says which positions are hidden from all; undefined = none are (not if
  /// causal). Returns [batch, len, d_model].
  torch::Tensor forward(const torch::Tensor& query, const torch::Tensor& key, const torch::Tensor& value,
                        const torch::Tensor& mask = {}) override;
  void pretty_print(std::ostream& out) const override;

  const Window window;

 private:
  torch::Tensor attend_blocks(const torch::Tensor& merged, const torch::Tensor& visible);
};
TORCH_MODULE(WindowedAttention);

}  // namespace ventris::attention
