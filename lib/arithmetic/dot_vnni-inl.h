// Sums of products of bytes with AVX-512-VNNI; included within the namespace of a set.
using ShapeInt8 = TileShape<6, 4, 2, 8>;

// NOLINTBEGIN(misc-definitions-in-headers): each set of kernels gets its own copy, by intention
ARITHMETIC_INLINE const uint8_t* int8_inputs(const ProductInt8& in) { return in.a; }
constexpr void (*kWidenInputs)(const uint8_t*, int64_t, int16_t*) = nullptr;

/// sums[r][j] += the products of 4 * steps bytes of row r of `a` with the columns of panel j.
template <int kRows, int kColumns, typename Sums>
ARITHMETIC_INLINE void dot_int8(const uint8_t* a, const int8_t* b, int64_t steps, Sums& sums) {
  for (int64_t i = 0; i < steps; ++i) {
    __m512i weights[kColumns];
#pragma GCC unroll 16
    for (int j = 0; j < kColumns; ++j) weights[j] = _mm512_loadu_si512(b + (j * steps + i) * 64);
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      const __m512i x = _mm512_set1_epi32(four_bytes(a + (r * steps + i) * 4));
#pragma GCC unroll 16
      for (int j = 0; j < kColumns; ++j) {
        const __m512i sum = reinterpret_cast<__m512i>(sums[r][j]);
        sums[r][j] = reinterpret_cast<decltype(+sums[r][j])>(_mm512_dpbusd_epi32(sum, x, weights[j]));
      }
    }
  }
}
// NOLINTEND(misc-definitions-in-headers)
