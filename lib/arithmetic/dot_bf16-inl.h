// Sums of products of bfloat16 with AVX-512-BF16; included within the namespace of a set.

/// sums[r][j] += the products of 2 * steps bfloat16 of row r of `a` with the columns of panel j.
template <int kRows, int kColumns, typename Sums>
ARITHMETIC_INLINE void dot_bf16(const uint16_t* a, const uint16_t* b, int64_t steps, Sums& sums) {
  for (int64_t i = 0; i < steps; ++i) {
    __m512i weights[kColumns];
#pragma GCC unroll 16
    for (int j = 0; j < kColumns; ++j) weights[j] = _mm512_loadu_si512(b + (j * steps + i) * 32);
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      const __m512i x = repeat_four(a + (r * steps + i) * 2);
#pragma GCC unroll 16
      for (int j = 0; j < kColumns; ++j) {
        sums[r][j] = _mm512_dpbf16_ps(sums[r][j], (__m512bh)x, (__m512bh)weights[j]);
      }
    }
  }
}
