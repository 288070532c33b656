#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/matrix.h"

namespace ventris::engine {

struct Norm {
  Elements<float> weight, bias;  ///< [d_model] each
};

/// The vectors of sinusoidal positions. They are computed when they are first needed, because a model may allow many
/// more positions than sentences have. Threads may share it.
class Sinusoids {
 public:
  explicit Sinusoids(int64_t width);
  /// The vector of a position, [width].
  const float* row(int64_t position) const;

 private:
  struct Block {
    std::once_flag once;
    std::vector<float> rows;
  };

  int64_t width_;
  std::vector<float> scales_;               // [width]
  mutable std::array<Block, 64> blocks_;  // block b has the positions from kFirst * (2^b - 1), kFirst * 2^b of them
};

/// Token and position vectors of one side.
struct Embedding {
  Matrix tokens;  ///< [vocab, d_model], not scaled; tied sides share the weights
  Elements<float> positions;  ///< [max_positions, d_model] if they are learned; otherwise empty
  std::shared_ptr<const Sinusoids> sinusoids;  ///< if positions are not learned; both sides share it
  Norm norm;                                   ///< empty unless embedding_norm

  /// The vector of a position, [d_model].
  const float* position(int64_t position) const {
    return sinusoids ? sinusoids->row(position) : positions.data() + position * tokens.k();
  }
};

}  // namespace ventris::engine
