#include "arithmetic/kernel_sets.h"
#include "arithmetic/tiles.h"

#if defined(__x86_64__)
#pragma GCC diagnostic push
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // in the headers of GCC 12
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif
#include <immintrin.h>
ARITHMETIC_BEGIN_TARGET("avx512f,avx512bw,avx512dq,avx512vl,fma")

namespace ventris::arithmetic::avx512 {
namespace {

#include "arithmetic/kernels_avx512-inl.h"
using ShapeInt8 = TileShape<5, 4, 2, 8>;

/// Adds four products to each sum. _mm512_maddubs_epi16 saturates; kLargestPair keeps each sum of two within 16 bits.
template <typename Ints>
ARITHMETIC_INLINE void add_products(Ints& sums, Bytes x, Bytes weights) {
  const __m512i pairs = _mm512_maddubs_epi16(x, weights), fours = _mm512_madd_epi16(pairs, _mm512_set1_epi16(1));
  sums = reinterpret_cast<Ints>(_mm512_add_epi32(reinterpret_cast<__m512i>(sums), fours));
}

constexpr bool kSumsAreOfSigned = false;

#include "arithmetic/dot_bytes-inl.h"

using ShapeBf16 = TileShape<5, 4, 1, 8>;
#include "arithmetic/plain_bf16-inl.h"

#include "arithmetic/kernels-inl.h"

}  // namespace

const Kernels& kernels() {
  static constexpr Kernels kKernels = make_kernels("avx512");
  return kKernels;
}

}  // namespace ventris::arithmetic::avx512
ARITHMETIC_END_TARGET
#pragma GCC diagnostic pop
#endif
