#pragma once
#include "layers/distance_keys.h"
#include "layers/encoder_attention.h"

/// Self-attention of encoders to a part of the positions. Queries are taken in blocks, which are multiplied with all
/// keys that one of them sees.
namespace ventris::layers {

/// Some queries of a sequence, and the keys that they are multiplied with.
struct QueryBlock {
  int64_t len;          ///< of the sequence
  int64_t query, rows;  ///< the first query, and their number
  int64_t first, end;   ///< of the keys; `first` is a multiple of kPanel

  int64_t keys() const { return end - first; }
};

/// SelfAttention::kWindow.
class WindowAttention : public EncoderAttention {
 public:
  WindowAttention(const Context& context, const SelfAttentionWeights& weights)
      : context_(context), score_(weights.score) {}

  static decoding::MemoryNeeds needs(const architecture::TransformerOptions& options);

  void attend(float* projected, int64_t len, float* out) override;

 private:
  void attend_block(const QueryBlock& block, const float* queries, const float* packed, float* out) const;
  void make_weights(const QueryBlock& block, float* scores) const;

  const Context context_;
  const architecture::TransformerOptions& options_ = context_.options;
  const Score& score_;
};

/// SelfAttention::kSegment.
class SegmentAttention : public EncoderAttention {
 public:
  SegmentAttention(const Context& context, const SelfAttentionWeights& weights)
      : context_(context),
        weights_(weights),
        distances_(context.kernels, context.options, weights.distances, Side::kEncoder) {}

  static decoding::MemoryNeeds needs(const architecture::TransformerOptions& options);

  void attend(float* projected, int64_t len, float* out) override;

 private:
  void attend_block(const QueryBlock& block, const float* queries, const float* packed, float* out);
  /// scores [rows, keys] = the products of queries and distances; those of keys before `visible` are 0.
  void distance_scores(const QueryBlock& block, int64_t head, int64_t visible, float* scores);

  const Context context_;
  const architecture::TransformerOptions& options_ = context_.options;
  const SelfAttentionWeights& weights_;
  DistanceKeys distances_;
  Aligned<float> distance_queries_, products_;
};

}  // namespace ventris::layers
