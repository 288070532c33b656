#include "layers/packed_rotation.h"

#include <cmath>
#include <stdexcept>
#include <string>

namespace ventris::layers {
namespace {

/// The turns of a position, as the kernel takes them, computed in double.
void fill_turns(int64_t position, int64_t width, float* turns) {
  for (int64_t i = 0; i < width; i += 2) {
    const double speed = std::exp(static_cast<double>(i) * (-std::log(10000.0) / static_cast<double>(width)));
    const double angle = static_cast<double>(position) * speed;
    turns[i] = turns[i + 1] = static_cast<float>(std::cos(angle));
    turns[width + i + 1] = static_cast<float>(std::sin(angle));
    turns[width + i] = -turns[width + i + 1];
  }
}

}  // namespace

Rotation::Rotation(int64_t width)
    : width_(width),
      turns_(2 * width, [width](int64_t position, float* turns) { fill_turns(position, width, turns); }) {
  if (width % 2 != 0) throw std::invalid_argument("Rotation: expected an even width, got " + std::to_string(width));
}

}  // namespace ventris::layers
