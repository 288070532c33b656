#include "architecture/sinusoids.h"

#include <bit>
#include <cmath>

namespace ventris::architecture {
namespace {

constexpr int64_t kFirst = 64;  // positions of the first block

}  // namespace

void sinusoids(int64_t position, int64_t width, float* out) {
  const auto step = static_cast<float>(-std::log(10000.0) / static_cast<double>(width));
  for (int64_t i = 0; i < width; i += 2) {
    const float angle = static_cast<float>(position) * std::exp(static_cast<float>(i) * step);
    out[i] = std::sin(angle);
    if (i + 1 < width) out[i + 1] = std::cos(angle);
  }
}

std::vector<float> sinusoid_table(int64_t count, int64_t width) {
  std::vector<float> table(static_cast<size_t>(count * width));
  for (int64_t i = 0; i < count; ++i) sinusoids(i, width, table.data() + i * width);
  return table;
}

const float* Sinusoids::row(int64_t position) const {
  const auto number = static_cast<uint64_t>(position / kFirst + 1);  // 1, 2 to 3, 4 to 7, ...: blocks 0, 1, 2, ...
  const auto at = static_cast<size_t>(std::bit_width(number)) - 1;
  const int64_t count = kFirst << at, first = count - kFirst;
  Block& block = blocks_[at];
  std::call_once(block.once, [&] {
    std::vector<float> rows(static_cast<size_t>(count * width_));
    for (int64_t i = 0; i < count; ++i) sinusoids(first + i, width_, rows.data() + i * width_);
    block.rows = std::move(rows);
  });
  return block.rows.data() + (position - first) * width_;
}

}  // namespace ventris::architecture
