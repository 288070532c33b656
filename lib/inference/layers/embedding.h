#pragma once
#include <cstdint>
#include <memory>

#include "architecture/position_table.h"
#include "arithmetic/matrix.h"
#include "layers/packed_norm.h"

namespace ventris::layers {

using arithmetic::Matrix;

/// Token and position vectors of one side.
struct Embedding {
  Matrix tokens;  ///< [vocab, d_model], not scaled; tied sides share the weights
  Elements<float> positions;  ///< [max_positions, d_model] if they are learned; otherwise empty
  std::shared_ptr<const architecture::PositionTable> sinusoids;  ///< if they are sinusoids; both sides share it
  Norm norm;                                   ///< only with embedding_norm
  bool scaled = true;                          ///< token vectors are multiplied by embedding_factor()

  /// The vector of a position, [d_model]; null if positions are relative.
  const float* position(int64_t position) const {
    if (sinusoids) return sinusoids->row(position);
    return positions.empty() ? nullptr : positions.data() + position * tokens.k();
  }
};

}  // namespace ventris::layers
