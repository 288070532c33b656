// Sums of products of bytes; included within the namespace of a set, which defines Bytes (a vector of 4 * kLanes
// bytes), load_bytes, repeat_four and add_products.

/// sums[r][j] += the products of 4 * steps bytes of row r of `a` with the columns of vector j.
template <int kRows, int kColumns, typename Sums>
ARITHMETIC_INLINE void dot_int8(const uint8_t* a, const int8_t* b, int64_t steps, Sums& sums) {
  constexpr int64_t kVectorsOfPanel = kPanel / kLanes, kBytes = kLanes * 4;  // kBytes: of a vector
  for (int64_t i = 0; i < steps; ++i) {
    Bytes weights[kColumns];
#pragma GCC unroll 16
    for (int j = 0; j < kColumns; ++j) {
      weights[j] = load_bytes(b + ((j / kVectorsOfPanel) * steps + i) * (kPanel * 4) + j % kVectorsOfPanel * kBytes);
    }
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      const Bytes x = repeat_four(a + (r * steps + i) * 4);
#pragma GCC unroll 16
      for (int j = 0; j < kColumns; ++j) add_products(sums[r][j], x, weights[j]);
    }
  }
}
