#pragma once
#include <cstdint>
#include <vector>

namespace ventris::exports {

/// The sinusoids of the positions 0 to count - 1: [count, width] (layers/sinusoids.h).
std::vector<float> position_table(int64_t count, int64_t width);

}  // namespace ventris::exports
