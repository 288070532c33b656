#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "layers/decoder_layers.h"
#include "layers/encoder.h"
#include "layers/encoder_attention.h"
#include "nat/scorer.h"

namespace ventris::engine {

using arithmetic::Aligned;
using layers::Context;
using layers::Encoder;
using layers::EncoderAttention;
using layers::SourceRows;
using layers::TransformerWeights;

using layers::Sight;

/// A decoder that computes all positions at once: of a model that writes all tokens at once, where each position of a
/// row sees all positions of this row, or of given targets, where it sees those up to itself. Rows are one after the
/// other in memory, without padding.
class WholeDecoder : private layers::DecoderRows {
 public:
  WholeDecoder(const Context& context, const TransformerWeights& weights, Sight sight = Sight::kAll);

  /// Computes the keys and values of the sentences that `encoder` has encoded, which have these lengths.
  void read(Encoder& encoder, std::span<const int64_t> lengths);

  /// Memory for the input of run(), [positions of all rows, d_model].
  float* input(int64_t positions) { return x_.room(positions * weights_.options.d_model); }

  /// Runs the layers over input(): the vectors of tokens and positions. Returns the states of the wanted positions
  /// [wanted positions, d_model], valid until the next call of input(). The last layer computes only these after its
  /// self-attention. Keeps the attention to the source in the watched layer, for passes that want all positions.
  const float* run(const nat::NatPass& pass);

  /// The attention that was kept, row after row, [positions, heads, src_len] each.
  const float* attention() const { return watched_.data(); }

 private:
  void attend(size_t layer, float* projected, int64_t rows, float* out) override;
  int64_t keep(size_t layer, float* x, int64_t rows) override;
  std::span<const SourceRows> sources(size_t layer) override;
  int64_t positions() const;

  const Context context_;
  const TransformerWeights& weights_;
  architecture::TransformerOptions options_;  // of self-attention
  std::vector<std::unique_ptr<EncoderAttention>> self_attention_;  // of each layer
  std::vector<int64_t> lengths_, starts_;  // of each sentence: its tokens, and where it starts in sources_
  std::vector<Aligned<float>> sources_;    // of each layer: the keys and values of all sentences, packed
  Aligned<float> x_, watched_;
  const nat::NatPass* pass_ = nullptr;  // that run() computes
  std::vector<nat::NatRow> rows_;       // of the pass, with the positions that are still computed
  std::vector<SourceRows> source_rows_;
};

}  // namespace ventris::engine
