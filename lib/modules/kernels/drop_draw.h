#pragma once
#include <cstdint>

namespace ventris::kernels {

/// Determines which elements of an array dropout keeps. The same draw gives the same mask, so masks are not stored. A
/// counter-based generator: the index is mixed as in "lowbias32" (C. Wellons, Prospecting for Hash Functions, 2018),
/// with the seed in two places. Element i is kept if its 32 bits, read as signed, are at least `lowest_kept`.
struct DropDraw {
  /// p in [0, 1); with 0, all elements are kept unchanged.
  DropDraw(double p, uint64_t seed)
      : low(static_cast<uint32_t>(seed)),
        high(static_cast<uint32_t>(seed >> 32)),
        lowest_kept(static_cast<int32_t>(p * 0x1p32 - 0x1p31)),
        scale(static_cast<float>(1 / (1 - p))) {}

  uint32_t low, high;
  int32_t lowest_kept;
  float scale;  ///< factor of the elements that are kept
};

}  // namespace ventris::kernels
