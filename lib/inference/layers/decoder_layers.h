#pragma once
#include <cstdint>
#include <span>

#include "decoding/memory_needs.h"
#include "layers/packed_attention.h"
#include "layers/weights.h"

/// The layers of a decoder, whichever way it writes: token by token, or all tokens at once.
namespace ventris::layers {

/// The memory of the keys and values of sources in all layers, each a PackedSequence. That of a sentence is used again,
/// for a longer one, too.
decoding::MemoryNeeds source_needs(const architecture::TransformerOptions& options);

/// Consecutive rows of a decoder that have the same source.
struct SourceRows {
  int64_t rows;
  PackedSequence source;     ///< its keys and values in one layer
  float* weights = nullptr;  ///< gets the attention weights [rows, heads, source.len]; null = nobody wants them
};

/// What the rows of a decoder see in a layer.
class DecoderRows {
 public:
  virtual ~DecoderRows() = default;

  /// Self-attention, or the SSRU in its place, without its projections: as DecoderAttention::attend().
  virtual void attend(size_t layer, float* projected, int64_t rows, float* out) = 0;
  /// Called after the self-attention of a layer, with x [rows, d_model]: may move some rows to the front of x. Only
  /// these are computed from here on. Returns their number.
  virtual int64_t keep(size_t /*layer*/, float* /*x*/, int64_t rows) { return rows; }
  /// All rows, in their order.
  virtual std::span<const SourceRows> sources(size_t layer) = 0;
};

/// Runs all layers and the final norm over x [rows, d_model].
void run_decoder(const Context& context, const TransformerWeights& weights, float* x, int64_t rows, DecoderRows& seen);

/// The prepared keys and values that a layer makes of what it sees of the sources, `memory` [rows, d_model]. Returns
/// [rows, heads * (d_k + d_v)], valid until work.projected is used again.
float* project_sources(const Context& context, const DecoderLayer& layer, const float* memory, int64_t rows);

}  // namespace ventris::layers
