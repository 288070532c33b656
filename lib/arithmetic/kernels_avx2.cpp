#include "arithmetic/tiles.h"
#include "arithmetic/kernel_sets.h"

#if defined(__x86_64__)
#include <immintrin.h>
ARITHMETIC_BEGIN_TARGET("avx2,fma")

namespace ventris::arithmetic::avx2 {
namespace {

using Floats = __m256;
using IntsOf = int32_t __attribute__((vector_size(32)));
constexpr int64_t kLanes = 8;
using ShapeF32 = TileShape<6, 1, 2, 2>;
using ShapeInt8 = TileShape<6, 1, 1, 1>;
using ShapeBf16 = TileShape<4, 1, 2, 2>;

ARITHMETIC_INLINE Floats fma(Floats a, Floats b, Floats c) { return _mm256_fmadd_ps(a, b, c); }
ARITHMETIC_INLINE Floats maximum(Floats a, Floats b) { return _mm256_max_ps(a, b); }
ARITHMETIC_INLINE float sum_of(Floats x) {
  __m128 four = _mm_add_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
  four = _mm_add_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_add_ss(four, _mm_movehdup_ps(four)));
}
ARITHMETIC_INLINE float largest_of(Floats x) {
  __m128 four = _mm_max_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
  four = _mm_max_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_max_ss(four, _mm_movehdup_ps(four)));
}

/// All bits set in the first `count` elements.
ARITHMETIC_INLINE __m256i first_lanes(int64_t count) {
  const __m256i places = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int32_t>(count)), places);
}
/// The first `count` elements (1 to kLanes), and `fill` for the others.
ARITHMETIC_INLINE Floats load_part(const float* from, int64_t count, float fill) {
  const __m256i lanes = first_lanes(count);
  return _mm256_blendv_ps(_mm256_set1_ps(fill), _mm256_maskload_ps(from, lanes), _mm256_castsi256_ps(lanes));
}
ARITHMETIC_INLINE void store_part(Floats x, int64_t count, float* to) {
  _mm256_maskstore_ps(to, first_lanes(count), x);
}

/// The sums of four vectors.
ARITHMETIC_INLINE void store_four_sums(Floats a, Floats b, Floats c, Floats d, float* to) {
  const Floats all = _mm256_hadd_ps(_mm256_hadd_ps(a, b), _mm256_hadd_ps(c, d));
  _mm_storeu_ps(to, _mm_add_ps(_mm256_castps256_ps128(all), _mm256_extractf128_ps(all, 1)));
}

template <typename Ints>
ARITHMETIC_INLINE void store_bytes(Ints x, uint8_t* to) {
  const __m256i value = reinterpret_cast<__m256i>(x);
  const __m128i words = _mm_packus_epi32(_mm256_castsi256_si128(value), _mm256_extracti128_si256(value, 1));
  _mm_storel_epi64(reinterpret_cast<__m128i*>(to), _mm_packus_epi16(words, words));
}

using Words = __m256i;
ARITHMETIC_INLINE Words widen(const int8_t* from) {
  return _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
}
/// Widens 16 bytes.
ARITHMETIC_INLINE void store_words(const uint8_t* from, int16_t* to) {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm256_cvtepu8_epi16(bytes));
}
ARITHMETIC_INLINE Words four_words(const int16_t* from) {
  int64_t four;
  __builtin_memcpy(&four, from, sizeof four);
  return _mm256_set1_epi64x(four);
}
ARITHMETIC_INLINE Words multiply_pairs(Words a, Words b) { return _mm256_madd_epi16(a, b); }
ARITHMETIC_INLINE Words add_ints(Words a, Words b) { return _mm256_add_epi32(a, b); }
/// The sums of neighbours, those of `first` first.
ARITHMETIC_INLINE IntsOf join_pairs(Words first, Words second) {
  return reinterpret_cast<IntsOf>(_mm256_permute4x64_epi64(_mm256_hadd_epi32(first, second), 0xD8));
}

/// sums[r][j] += the products of 2 * steps bfloat16 of row r of `a` with the columns of vector j.
template <int kRows, int kColumns, typename Sums>
ARITHMETIC_INLINE void dot_bf16(const uint16_t* a, const uint16_t* b, int64_t steps, Sums& sums) {
  const __m256i upper = _mm256_set1_epi32(static_cast<int32_t>(0xffff0000U));
  for (int64_t i = 0; i < steps; ++i) {
#pragma GCC unroll 16
    for (int j = 0; j < kColumns; ++j) {
      const uint16_t* from = b + (j / 2) * steps * 32 + i * 32 + (j % 2) * int64_t{16};
      const __m256i both = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
      const Floats first = _mm256_castsi256_ps(_mm256_slli_epi32(both, 16));
      const Floats second = _mm256_castsi256_ps(_mm256_and_si256(both, upper));
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) {
        int32_t bits;
        __builtin_memcpy(&bits, a + (r * steps + i) * 2, sizeof bits);
        const __m256i pair = _mm256_set1_epi32(bits);
        sums[r][j] = fma(_mm256_castsi256_ps(_mm256_slli_epi32(pair, 16)), first, sums[r][j]);
        sums[r][j] = fma(_mm256_castsi256_ps(_mm256_and_si256(pair, upper)), second, sums[r][j]);
      }
    }
  }
}

#include "arithmetic/dot_words-inl.h"

#include "arithmetic/kernels-inl.h"

}  // namespace

const Kernels& kernels() {
  static constexpr Kernels kKernels = make_kernels("avx2");
  return kKernels;
}

}  // namespace ventris::arithmetic::avx2
ARITHMETIC_END_TARGET
#endif
