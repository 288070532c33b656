#include "arithmetic/tiles.h"
#include "arithmetic/kernel_sets.h"

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
using ShapeInt8 = TileShape<3, 2, 1, 4>;
using IntsOf = int32_t __attribute__((vector_size(64)));

using Words = __m512i;
ARITHMETIC_INLINE Words widen(const int8_t* from) {
  return _mm512_cvtepi8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
}
/// Widens 32 bytes.
ARITHMETIC_INLINE void store_words(const uint8_t* from, int16_t* to) {
  const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  _mm512_storeu_si512(to, _mm512_cvtepu8_epi16(bytes));
}
ARITHMETIC_INLINE Words four_words(const int16_t* from) {
  int64_t four;
  __builtin_memcpy(&four, from, sizeof four);
  return _mm512_set1_epi64(four);
}
ARITHMETIC_INLINE Words multiply_pairs(Words a, Words b) { return _mm512_madd_epi16(a, b); }
ARITHMETIC_INLINE Words add_ints(Words a, Words b) { return _mm512_add_epi32(a, b); }
/// The sums of neighbours, those of `first` first.
ARITHMETIC_INLINE IntsOf join_pairs(Words first, Words second) {
  const __m512i even = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
  const __m512i odd = _mm512_add_epi32(even, _mm512_set1_epi32(1));
  return reinterpret_cast<IntsOf>(
      _mm512_add_epi32(_mm512_permutex2var_epi32(first, even, second), _mm512_permutex2var_epi32(first, odd, second)));
}

#include "arithmetic/dot_words-inl.h"

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
