#include "architecture/position_table.h"

#include <bit>

namespace ventris::architecture {
namespace {

constexpr int64_t kFirst = 64;  // positions of the first block

}  // namespace

const float* PositionTable::row(int64_t position) const {
  const auto number = static_cast<uint64_t>(position / kFirst + 1);  // 1, 2 to 3, 4 to 7, ...: blocks 0, 1, 2, ...
  const auto at = static_cast<size_t>(std::bit_width(number)) - 1;
  const int64_t count = kFirst << at, first = count - kFirst;
  Block& block = blocks_[at];
  std::call_once(block.once, [&] {
    std::vector<float> rows(static_cast<size_t>(count * width_));
    for (int64_t i = 0; i < count; ++i) fill_(first + i, rows.data() + i * width_);
    block.rows = std::move(rows);
  });
  return block.rows.data() + (position - first) * width_;
}

}  // namespace ventris::architecture
