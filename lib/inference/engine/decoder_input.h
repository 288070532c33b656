#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "architecture/transformer_nat_options.h"
#include "layers/layers.h"

namespace ventris::engine {

using arithmetic::Aligned;
using layers::Context;
using layers::Embedding;
using layers::TransformerWeights;

/// What the decoder of a model that writes all tokens at once reads: vectors of tokens and of target positions, added.
class DecoderInput {
 public:
  DecoderInput(const Context& context, const TransformerWeights& weights, const architecture::NatOptions& options);

  /// x [positions, d_model] = the first input of a row for this source.
  void first(std::span<const int32_t> source, int64_t positions, float* x);
  /// x [ids, d_model] = the vectors of these target tokens.
  void embed(std::span<const int32_t> ids, float* x);

 private:
  void mix(std::span<const int32_t> source, int64_t positions, float* x);

  const Context context_;
  const TransformerWeights& weights_;
  const architecture::NatOptions& options_;
  Embedding copied_;  // source tokens at target positions
  std::vector<int32_t> ids_;
  std::vector<int64_t> positions_;
  std::vector<float> shares_;
  Aligned<float> tokens_;  // of a source, [src_len, d_model]
};

}  // namespace ventris::engine
