#pragma once
#include <array>
#include <cstdint>
#include <mutex>
#include <vector>

namespace ventris::architecture {

/// The sinusoids of a position, or of a distance, which may be negative: out [width], sine and cosine interleaved, as
/// nn::sinusoids computes them. Source: Vaswani et al. 2017, section 3.5.
void sinusoids(int64_t position, int64_t width, float* out);

/// The sinusoids of the positions 0 to count - 1: [count, width].
std::vector<float> sinusoid_table(int64_t count, int64_t width);

/// The sinusoids of positions from 0. They are computed when they are first needed, because a model may allow many more
/// positions than sentences have. Threads may share it.
class Sinusoids {
 public:
  explicit Sinusoids(int64_t width) : width_(width) {}
  /// The vector of a position, [width].
  const float* row(int64_t position) const;

 private:
  struct Block {
    std::once_flag once;
    std::vector<float> rows;
  };

  int64_t width_;
  mutable std::array<Block, 64> blocks_;  // block b has the positions from kFirst * (2^b - 1), kFirst * 2^b of them
};

}  // namespace ventris::architecture
