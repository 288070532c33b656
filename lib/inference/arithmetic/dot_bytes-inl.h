// Sums of products of groups of four bytes; included within the namespace of a set, which defines Bytes (a vector of
// kLanes groups), load_bytes, repeat_four and add_products.

/// add(sums[r][j], groups of `a`, groups of `b`) for `steps` groups of row r of `a` and of the columns of vector j. A
/// group is four numbers of int8, or two of bf16.
template <int kRows, int kColumns, typename Sums, typename Add>
ARITHMETIC_INLINE void dot_groups(const void* a, const void* b, int64_t steps, Sums& sums, const Add& add) {
  constexpr int64_t kVectorsOfPanel = kPanel / kLanes, kBytes = kLanes * 4;  // kBytes: of a vector
  const auto* rows = static_cast<const uint8_t*>(a);
  const auto* columns = static_cast<const uint8_t*>(b);
  for (int64_t i = 0; i < steps; ++i) {
    Bytes weights[kColumns];
#pragma GCC unroll 16
    for (int j = 0; j < kColumns; ++j) {
      weights[j] =
          load_bytes(columns + ((j / kVectorsOfPanel) * steps + i) * (kPanel * 4) + j % kVectorsOfPanel * kBytes);
    }
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      const Bytes x = repeat_four(rows + (r * steps + i) * 4);
#pragma GCC unroll 16
      for (int j = 0; j < kColumns; ++j) add(sums[r][j], x, weights[j]);
    }
  }
}

/// sums[r][j] += the products of 4 * steps bytes of row r of `a` with the columns of vector j.
template <int kRows, int kColumns, typename Sums>
ARITHMETIC_INLINE void dot_int8(const uint8_t* a, const int8_t* b, int64_t steps, Sums& sums) {
  dot_groups<kRows, kColumns>(
      a, b, steps, sums, [](auto& sum, Bytes x, Bytes weights) ARITHMETIC_LAMBDA { add_products(sum, x, weights); });
}
