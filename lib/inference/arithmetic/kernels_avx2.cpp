#include "arithmetic/kernel_sets.h"
#include "arithmetic/tiles.h"

#if defined(__x86_64__)
#include <immintrin.h>
ARITHMETIC_BEGIN_TARGET("avx2,fma")

namespace ventris::arithmetic::avx2 {
namespace {

using Floats = __m256;
constexpr int64_t kLanes = 8;
using ShapeF32 = TileShape<6, 1, 2, 2>;
using ShapeInt8 = TileShape<4, 1, 1, 2>;
using ShapeBf16 = TileShape<4, 1, 1, 2>;

ARITHMETIC_INLINE Floats all(float value) { return _mm256_set1_ps(value); }
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
/// A bit for each element over `limit`.
ARITHMETIC_INLINE uint32_t lanes_above(Floats x, float limit) {
  return static_cast<uint32_t>(_mm256_movemask_ps(_mm256_cmp_ps(x, _mm256_set1_ps(limit), _CMP_GT_OQ)));
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
/// Without the masked store, which is slow on some processors.
ARITHMETIC_INLINE void store_part(Floats x, int64_t count, float* to) {
  if (count >= kLanes) return _mm256_storeu_ps(to, x);
  __m128 four = _mm256_castps256_ps128(x);
  if ((count & 4) != 0) {
    _mm_storeu_ps(to, four);
    four = _mm256_extractf128_ps(x, 1);
    to += 4;
  }
  if ((count & 2) != 0) {
    _mm_storel_pi(reinterpret_cast<__m64*>(to), four);
    four = _mm_movehl_ps(four, four);
    to += 2;
  }
  if ((count & 1) != 0) _mm_store_ss(to, four);
}

/// The sums of four vectors.
ARITHMETIC_INLINE void store_four_sums(Floats a, Floats b, Floats c, Floats d, float* to) {
  const Floats all = _mm256_hadd_ps(_mm256_hadd_ps(a, b), _mm256_hadd_ps(c, d));
  _mm_storeu_ps(to, _mm_add_ps(_mm256_castps256_ps128(all), _mm256_extractf128_ps(all, 1)));
}

/// Stores the lowest byte of each element.
template <typename Ints>
ARITHMETIC_INLINE void store_bytes(Ints x, uint8_t* to) {
  const __m256i places = _mm256_broadcastsi128_si256(_mm_setr_epi32(0x0c080400, 0, 0, 0));
  const __m256i fours = _mm256_shuffle_epi8(reinterpret_cast<__m256i>(x), places);
  _mm_storel_epi64(reinterpret_cast<__m128i*>(to),
                   _mm_unpacklo_epi32(_mm256_castsi256_si128(fours), _mm256_extracti128_si256(fours, 1)));
}

using Bytes = __m256i;
ARITHMETIC_INLINE Bytes load_bytes(const void* from) { return _mm256_loadu_si256(static_cast<const __m256i*>(from)); }
/// Four bytes, again and again.
ARITHMETIC_INLINE Bytes repeat_four(const void* from) {
  int32_t four;
  __builtin_memcpy(&four, from, sizeof four);
  return _mm256_set1_epi32(four);
}
/// Adds four products to each sum. _mm256_maddubs_epi16 saturates; kLargestPair keeps each sum of two within 16 bits.
/// The addition is in assembly, because GCC 12 would compute the products of a whole tile first, and keep the sums on
/// the stack.
template <typename Ints>
ARITHMETIC_INLINE void add_products(Ints& sums, Bytes x, Bytes weights) {
  const __m256i fours = _mm256_madd_epi16(_mm256_maddubs_epi16(x, weights), _mm256_set1_epi16(1));
  asm("vpaddd %1, %0, %0" : "+x"(sums) : "x"(fours));
}

constexpr bool kSumsAreOfSigned = false;

#include "arithmetic/dot_bytes-inl.h"

#include "arithmetic/plain_bf16-inl.h"

#include "arithmetic/kernels-inl.h"

}  // namespace

const Kernels& kernels() {
  static constexpr Kernels kKernels = make_kernels("avx2");
  return kKernels;
}

}  // namespace ventris::arithmetic::avx2
ARITHMETIC_END_TARGET
#endif
