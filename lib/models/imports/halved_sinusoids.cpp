#include "imports/halved_sinusoids.h"

#include <algorithm>
#include <cmath>

namespace ventris::imports {

float step_in_64_bits(int64_t width) {
  return static_cast<float>(-std::log(10000.0) / static_cast<double>(std::max<int64_t>(width / 2 - 1, 1)));
}

std::vector<float> halved_sinusoids(int64_t first, int64_t count, int64_t width, float step) {
  const int64_t half = width / 2;
  std::vector<float> table(static_cast<size_t>(count * width));
  for (int64_t i = 0; i < half; ++i) {
    const float frequency = std::exp(step * static_cast<float>(i));
    for (int64_t row = 0; row < count; ++row) {
      const float angle = static_cast<float>(first + row) * frequency;
      float* values = table.data() + row * width;
      values[i] = std::sin(angle);
      values[half + i] = std::cos(angle);
    }
  }
  return table;
}

}  // namespace ventris::imports
