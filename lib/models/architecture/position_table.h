#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

namespace ventris::architecture {

/// Vectors of positions from 0. They are computed when they are first needed, because a model may allow many more
/// positions than sentences have. Threads may share it.
class PositionTable {
 public:
  /// Writes the vector of a position, [width].
  using Fill = std::function<void(int64_t position, float* out)>;

  PositionTable(int64_t width, Fill fill) : width_(width), fill_(std::move(fill)) {}

  /// The vector of a position, [width].
  const float* row(int64_t position) const;

 private:
  struct Block {
    std::once_flag once;
    std::vector<float> rows;
  };

  int64_t width_;
  Fill fill_;
  mutable std::array<Block, 64> blocks_;  // block b has the positions from kFirst * (2^b - 1), kFirst * 2^b of them
};

}  // namespace ventris::architecture
