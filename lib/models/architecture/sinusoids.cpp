#include "architecture/sinusoids.h"

#include <cmath>

namespace ventris::architecture {

void sinusoids(int64_t position, int64_t width, float* out) {
  const auto step = static_cast<float>(-std::log(10000.0) / static_cast<double>(width));
  for (int64_t i = 0; i < width; i += 2) {
    const float angle = static_cast<float>(position) * std::exp(static_cast<float>(i) * step);
    out[i] = std::sin(angle);
    if (i + 1 < width) out[i + 1] = std::cos(angle);
  }
}

float halved_frequency_step(int64_t width) { return -(std::log(10000.0F) / static_cast<float>(width / 2 - 1)); }

void halved_sinusoids(int64_t position, int64_t width, float* out) {
  const int64_t half = width / 2;
  const float step = halved_frequency_step(width);
  for (int64_t i = 0; i < half; ++i) {
    const float angle = static_cast<float>(position) * std::exp(step * static_cast<float>(i));
    out[i] = std::sin(angle);
    out[half + i] = std::cos(angle);
  }
}

std::vector<float> sinusoid_table(int64_t count, int64_t width, void (*fill)(int64_t, int64_t, float*)) {
  std::vector<float> table(static_cast<size_t>(count * width));
  for (int64_t i = 0; i < count; ++i) fill(i, width, table.data() + i * width);
  return table;
}

}  // namespace ventris::architecture
