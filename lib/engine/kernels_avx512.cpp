#include "engine/tiles.h"
#include "engine/kernel_sets.h"

#if defined(__x86_64__)
#pragma GCC diagnostic push
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // in the headers of GCC 12
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif
#include <immintrin.h>
ENGINE_BEGIN_TARGET("avx512f,avx512bw,avx512dq,avx512vl,fma")

namespace ventris::engine::avx512 {
namespace {

#include "engine/kernels_avx512-inl.h"
using ShapeInt8 = TileShape<3, 2, 1, 4>;
using IntsOf = int32_t __attribute__((vector_size(64)));

/// sums[r][j] += the products of 4 * steps bytes of row r of `a` with the columns of panel j. Bytes are widened to 16
/// bits, because the instruction that multiplies bytes would saturate its sums of two.
template <int kRows, int kColumns, typename Sums>
ENGINE_INLINE void dot_int8(const uint8_t* a, const int8_t* b, int64_t steps, Sums& sums) {
  __m512i pairs[kRows][kColumns * 2];  // each sum of four as two sums of two
  for (int r = 0; r < kRows; ++r) {
    for (int j = 0; j < kColumns * 2; ++j) pairs[r][j] = _mm512_setzero_si512();
  }
  for (int64_t i = 0; i < steps; ++i) {
    __m512i weights[kColumns * 2];
#pragma GCC unroll 16
    for (int j = 0; j < kColumns * 2; ++j) {
      const int8_t* from = b + (j / 2) * steps * 64 + i * 64 + (j % 2) * int64_t{32};
      weights[j] = _mm512_cvtepi8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
    }
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      const __m128i bytes = _mm_loadu_si32(a + (r * steps + i) * 4);
      const __m512i x = _mm512_broadcastq_epi64(_mm_cvtepu8_epi16(bytes));
#pragma GCC unroll 16
      for (int j = 0; j < kColumns * 2; ++j) {
        pairs[r][j] = _mm512_add_epi32(pairs[r][j], _mm512_madd_epi16(x, weights[j]));
      }
    }
  }
  const __m512i even = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
  const __m512i odd = _mm512_add_epi32(even, _mm512_set1_epi32(1));
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 16
    for (int j = 0; j < kColumns; ++j) {
      const __m512i first = _mm512_permutex2var_epi32(pairs[r][2 * j], even, pairs[r][2 * j + 1]);
      const __m512i second = _mm512_permutex2var_epi32(pairs[r][2 * j], odd, pairs[r][2 * j + 1]);
      sums[r][j] += reinterpret_cast<IntsOf>(_mm512_add_epi32(first, second));
    }
  }
}

#include "engine/plain_bf16-inl.h"

#include "engine/kernels-inl.h"

}  // namespace

const Kernels& kernels() {
  static constexpr Kernels kKernels = make_kernels("avx512");
  return kKernels;
}

}  // namespace ventris::engine::avx512
ENGINE_END_TARGET
#pragma GCC diagnostic pop
#endif
