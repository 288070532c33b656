#pragma once
#include <cstdint>
#include <vector>

#include "architecture/position_table.h"

namespace ventris::architecture {

/// The sinusoids of a position, or of a distance, which may be negative: out [width], sine and cosine interleaved, as
/// nn::sinusoids computes them. Source: Vaswani et al. 2017, section 3.5.
void sinusoids(int64_t position, int64_t width, float* out);

/// As sinusoids(), in the layout of tensor2tensor and Marian: all sines come before the cosines, and the lowest of the
/// width / 2 frequencies is 1/10000. `width` is even and at least 4.
void halved_sinusoids(int64_t position, int64_t width, float* out);

/// The sinusoids of the positions 0 to count - 1: [count, width]. `fill` is sinusoids() or halved_sinusoids().
std::vector<float> sinusoid_table(int64_t count, int64_t width,
                                  void (*fill)(int64_t position, int64_t width, float* out) = sinusoids);

/// The logarithm of the ratio of neighbouring frequencies of halved_sinusoids(), which is negative.
float halved_frequency_step(int64_t width);

/// The sinusoids of positions from 0.
class Sinusoids : public PositionTable {
 public:
  explicit Sinusoids(int64_t width)
      : PositionTable(width, [width](int64_t position, float* out) { sinusoids(position, width, out); }) {}
};

/// The same in the other layout.
class HalvedSinusoids : public PositionTable {
 public:
  explicit HalvedSinusoids(int64_t width)
      : PositionTable(width, [width](int64_t position, float* out) { halved_sinusoids(position, width, out); }) {}
};

}  // namespace ventris::architecture
