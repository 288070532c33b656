#pragma once
#include <cstdint>

#include "architecture/position_table.h"
#include "arithmetic/kernels.h"

namespace ventris::layers {

using arithmetic::Kernels;

/// Rotary positions (Positions::kRotary): queries and keys of self-attention are rotated by their positions, after
/// their projection. Source: as lib/modules/attention/rotation.h.
class Rotation {
 public:
  /// `width`: features of a query or a key in each head. Throws std::invalid_argument if it is odd.
  explicit Rotation(int64_t width);

  /// Rotates x [heads * width], the queries or keys of a position, or both side by side, in place.
  void apply(const Kernels& kernels, int64_t position, int64_t heads, float* x) const {
    kernels.rotate(x, heads, width_, turns_.row(position));
  }

 private:
  int64_t width_;
  architecture::PositionTable turns_;
};

}  // namespace ventris::layers
