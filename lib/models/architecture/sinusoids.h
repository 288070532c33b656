#pragma once
#include <cstdint>
#include <vector>

#include "architecture/position_table.h"

namespace ventris::architecture {

/// The sinusoids of a position, or of a distance, which may be negative: out [width], sine and cosine interleaved, as
/// nn::sinusoids computes them. Source: Vaswani et al. 2017, section 3.5.
void sinusoids(int64_t position, int64_t width, float* out);

/// The sinusoids of the positions 0 to count - 1: [count, width].
std::vector<float> sinusoid_table(int64_t count, int64_t width);

/// The sinusoids of positions from 0.
class Sinusoids : public PositionTable {
 public:
  explicit Sinusoids(int64_t width)
      : PositionTable(width, [width](int64_t position, float* out) { sinusoids(position, width, out); }) {}
};

}  // namespace ventris::architecture
