#include "arithmetic/kernel_sets.h"
#include "arithmetic/tiles.h"

/// For processors without any of the other sets: vectors of four floats, in the compiler's own arithmetic.
namespace ventris::arithmetic::portable {
namespace {

using Floats = float __attribute__((vector_size(16)));
constexpr int64_t kLanes = 4;
using ShapeF32 = TileShape<2, 1, 1, 1>;
using ShapeInt8 = TileShape<1, 1, 1, 1>;
using ShapeBf16 = TileShape<1, 1, 1, 1>;

ARITHMETIC_INLINE Floats all(float value) { return Floats{value, value, value, value}; }
ARITHMETIC_INLINE Floats fma(Floats a, Floats b, Floats c) { return a * b + c; }
ARITHMETIC_INLINE Floats maximum(Floats a, Floats b) { return a > b ? a : b; }
ARITHMETIC_INLINE float sum_of(Floats x) { return (x[0] + x[1]) + (x[2] + x[3]); }
ARITHMETIC_INLINE float largest_of(Floats x) {
  const float first = x[0] > x[1] ? x[0] : x[1], second = x[2] > x[3] ? x[2] : x[3];
  return first > second ? first : second;
}
/// A bit for each element over `limit`.
ARITHMETIC_INLINE uint32_t lanes_above(Floats x, float limit) {
  return (x[0] > limit ? 1U : 0U) | (x[1] > limit ? 2U : 0U) | (x[2] > limit ? 4U : 0U) | (x[3] > limit ? 8U : 0U);
}

/// The first `count` elements (1 to kLanes), and `fill` for the others.
ARITHMETIC_INLINE Floats load_part(const float* from, int64_t count, float fill) {
  Floats x = {fill, fill, fill, fill};
  for (int i = 0; i < count; ++i) x[i] = from[i];
  return x;
}
ARITHMETIC_INLINE void store_part(Floats x, int64_t count, float* to) {
  for (int i = 0; i < count; ++i) to[i] = x[i];
}

/// The sums of four vectors.
ARITHMETIC_INLINE void store_four_sums(Floats a, Floats b, Floats c, Floats d, float* to) {
  to[0] = sum_of(a);
  to[1] = sum_of(b);
  to[2] = sum_of(c);
  to[3] = sum_of(d);
}

/// Stores the lowest byte of each element.
template <typename Ints>
ARITHMETIC_INLINE void store_bytes(Ints x, uint8_t* to) {
  for (int i = 0; i < kLanes; ++i) to[i] = static_cast<uint8_t>(x[i]);
}

/// sums[r][j] += the products of 4 * steps bytes of row r of `a` with the columns of vector j.
template <int kRows, int kColumns, typename Sums>
ARITHMETIC_INLINE void dot_int8(const uint8_t* a, const int8_t* b, int64_t steps, Sums& sums) {
  for (int r = 0; r < kRows; ++r) {
    for (int64_t i = 0; i < steps; ++i) {
      for (int64_t column = 0; column < kColumns * kLanes; ++column) {
        const int8_t* weights = b + i * 64 + column * 4;
        const uint8_t* x = a + r * steps * 4 + i * 4;
        int32_t sum = 0;
        for (int k = 0; k < 4; ++k) sum += x[k] * weights[k];
        sums[r][column / kLanes][column % kLanes] += sum;
      }
    }
  }
}

constexpr bool kSumsAreOfSigned = false;

#include "arithmetic/plain_bf16-inl.h"

#include "arithmetic/kernels-inl.h"

}  // namespace

const Kernels& kernels() {
  static constexpr Kernels kKernels = make_kernels("portable");
  return kKernels;
}

}  // namespace ventris::arithmetic::portable
