// Sums of products of bf16 with AVX-512-BF16; included within the namespace of a set, after dot_bytes-inl.h.
using ShapeBf16 = TileShape<6, 4, 2, 8>;

/// sums[r][j] += the products of 2 * steps numbers of row r of `a` with the columns of vector j.
template <int kRows, int kColumns, typename Sums>
ARITHMETIC_INLINE void dot_bf16(const uint16_t* a, const uint16_t* b, int64_t steps, Sums& sums) {
  dot_groups<kRows, kColumns>(a, b, steps, sums, [](Floats& sum, Bytes x, Bytes weights) ARITHMETIC_LAMBDA {
    sum = _mm512_dpbf16_ps(sum, (__m512bh)x, (__m512bh)weights);
  });
}
