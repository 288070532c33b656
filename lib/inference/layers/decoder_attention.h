#pragma once
#include <cstdint>
#include <memory>
#include <span>

#include "layers/prefixes.h"
#include "layers/weights.h"

namespace ventris::layers {

/// Self-attention of a decoder to the prefixes of its rows, or the SSRU in its place, without its projections. One for
/// each thread.
class DecoderAttention {
 public:
  virtual ~DecoderAttention() = default;

  /// The rows change as those of Prefixes: all are removed, an empty one is appended, or row i becomes what row
  /// parents[i] was.
  virtual void clear() {}
  virtual void add() {}
  virtual void follow(std::span<const int32_t> /*parents*/) {}

  /// projected [rows, heads * (2 d_k + d_v)]: query, key and value of the newest position of each row, side by side,
  /// which it may change -> out [rows, heads * d_v]. Of an SSRU: projected [rows, 2 d_model], input and forget gate, ->
  /// out [rows, d_model].
  virtual void attend(size_t layer, float* projected, int64_t rows, float* out) = 0;
};

/// The floats that Prefixes keep of each position in a layer: key, value, and terms of the score.
int64_t entry_width(const architecture::TransformerOptions& options);

/// The memory of the prefixes and of the kind that the settings ask for, in all layers.
decoding::MemoryNeeds decoder_attention_needs(const architecture::TransformerOptions& options);

/// The kind that the settings ask for. Weights and prefixes must outlive it.
std::unique_ptr<DecoderAttention> make_decoder_attention(const Context& context, const TransformerWeights& weights,
                                                         Prefixes& prefixes);

}  // namespace ventris::layers
