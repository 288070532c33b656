#pragma once
#include <torch/torch.h>

#include "attention/multi_head_attention.h"

namespace ventris::attention {

/// How a sequence is cut: segments of `size` positions, each of which also sees the `memory` positions before it, which
/// may belong to several earlier segments.
struct Segments {
  int64_t size;         ///< at least 1
  int64_t memory = 0;   ///< at least 0
  bool causal = false;  ///< no position sees a later one

  /// Keys that a position of a causal sequence sees, itself included, at most.
  int64_t slots() const { return memory + size; }
  /// The slot in [0, slots()) that keeps the key of this position until no later one sees it.
  int64_t slot(int64_t position) const { return position % slots(); }
  /// How many positions before `position` [...] (long) it sees.
  torch::Tensor reach(const torch::Tensor& position) const { return position.minimum(position % size + memory); }
};

/// [1, len, len] bool, true = may look.
torch::Tensor segment_mask(const Segments& segments, int64_t len, torch::Device device = torch::kCPU);

/// Self-attention of each position to its segment and to a memory of the positions before, through which no gradient
/// flows: what is read there is detached. All segments are computed at once, in time and memory proportional to the
/// length. Positions count by their distance: the score of query i and key j is ((q_i + u) · k_j + (q_i + v) · W
/// R_(i-j)) / sqrt(key_width), with sinusoids R. Scores and weights are computed at least in f32, also under autocast.
/// Source: Dai et al. 2019 (Transformer-XL), sections 3.2 and 3.3; the names of W, u and v are those of its code.
class SegmentAttentionImpl : public MultiHeadAttentionImpl {
 public:
  /// Throws std::invalid_argument for segments of less than 1 position, a memory under 0, or a score other than
  /// scaled_dot.
  SegmentAttentionImpl(const MultiHeadAttentionOptions& settings, const Segments& segments);

  /// query, key and value: the same tensor [batch, len, d_model]. mask bool [batch|1, 1, len|1] or, if causal,
  /// [batch|1, len, len], whose last row says which positions are hidden from all; undefined = none are. Returns
  /// [batch, len, d_model].
  torch::Tensor forward(const torch::Tensor& query, const torch::Tensor& key, const torch::Tensor& value,
                        const torch::Tensor& mask = {}) override;

  /// W R_d of distances [count] (long): [heads, key_width, count].
  torch::Tensor distance_keys(const torch::Tensor& distances);
  /// Attention of one position per row, for decoders that keep projected keys [rows, heads, places, key_width] and
  /// values [rows, heads, places, value_width]: x [rows, 1, d_model] -> [rows, 1, d_model]. distances [rows, places]
  /// (long, at least 0): how far each place is from x; `of_distances`: distance_keys() of 0, 1, 2 and so on, at least
  /// to the largest distance; mask bool [rows, 1, places], true = may look.
  torch::Tensor step(const torch::Tensor& x, const torch::Tensor& key, const torch::Tensor& value,
                     const torch::Tensor& distances, const torch::Tensor& of_distances, const torch::Tensor& mask);
  void pretty_print(std::ostream& out) const override;

  const Segments segments;
  nn::Linear r_net{nullptr};         ///< W: d_model to heads * key_width features, without bias
  torch::Tensor r_w_bias, r_r_bias;  ///< u and v: [heads * key_width] each, at first 0

 private:
  torch::Tensor scaled_query(const torch::Tensor& query, const torch::Tensor& bias) const;
  torch::Tensor scores(const torch::Tensor& query, const torch::Tensor& key);
  torch::Tensor mixture(const torch::Tensor& weights, const torch::Tensor& value);
};
TORCH_MODULE(SegmentAttention);

}  // namespace ventris::attention
