#include "engine/embedding.h"

#include <bit>
#include <cmath>

namespace ventris::engine {
namespace {

constexpr int64_t kFirst = 64;  // positions of the first block

}  // namespace

/// As nn::PositionalEncoding computes them. Source: Vaswani et al. 2017, section 3.5.
Sinusoids::Sinusoids(int64_t width) : width_(width) {
  const auto step = static_cast<float>(-std::log(10000.0) / static_cast<double>(width));
  for (int64_t i = 0; i < width; ++i) scales_.push_back(std::exp(static_cast<float>(i - i % 2) * step));
}

const float* Sinusoids::row(int64_t position) const {
  const auto number = static_cast<uint64_t>(position / kFirst + 1);  // 1, 2 to 3, 4 to 7, ...: blocks 0, 1, 2, ...
  const auto at = static_cast<size_t>(std::bit_width(number)) - 1;
  const int64_t count = kFirst << at, first = count - kFirst;
  Block& block = blocks_[at];
  std::call_once(block.once, [&] {
    std::vector<float> rows(static_cast<size_t>(count * width_));
    for (int64_t i = 0; i < count * width_; ++i) {
      const int64_t column = i % width_;
      const float angle = static_cast<float>(first + i / width_) * scales_[static_cast<size_t>(column)];
      rows[static_cast<size_t>(i)] = column % 2 == 0 ? std::sin(angle) : std::cos(angle);
    }
    block.rows = std::move(rows);
  });
  return block.rows.data() + (position - first) * width_;
}

}  // namespace ventris::engine
