// Sums of products of bf16 for sets without instructions for them; included within the namespace of a set. A bf16 is
// the upper half of a float.

/// sums[r][j] += the products of 2 * steps numbers of row r of `a` with the columns of vector j.
template <int kRows, int kColumns, typename Sums>
ARITHMETIC_INLINE void dot_bf16(const uint16_t* a, const uint16_t* b, int64_t steps, Sums& sums) {
  using Pairs = uint32_t __attribute__((vector_size(sizeof(Floats))));
  constexpr uint32_t kUpper = 0xffff0000U;
  constexpr int64_t kVectorsOfPanel = kPanel / kLanes, kStride = kLanes * 2;
  for (int64_t i = 0; i < steps; ++i) {
    Floats weights[kColumns], next_weights[kColumns];
#pragma GCC unroll 16
    for (int j = 0; j < kColumns; ++j) {
      Pairs both;
      __builtin_memcpy(&both, b + (j / kVectorsOfPanel) * steps * 32 + i * 32 + (j % kVectorsOfPanel) * kStride,
                       sizeof both);
      weights[j] = __builtin_bit_cast(Floats, both << 16);
      next_weights[j] = __builtin_bit_cast(Floats, both & kUpper);
    }
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      float two;  // from an integer, GCC 12 would make both numbers in general registers, and copy them one by one
      __builtin_memcpy(&two, a + (r * steps + i) * 2, sizeof two);
      const Pairs pair = __builtin_bit_cast(Pairs, all(two));
      const Floats x = __builtin_bit_cast(Floats, pair << 16), next_x = __builtin_bit_cast(Floats, pair & kUpper);
#pragma GCC unroll 16
      for (int j = 0; j < kColumns; ++j) {
        sums[r][j] = fma(x, weights[j], sums[r][j]);
        sums[r][j] = fma(next_x, next_weights[j], sums[r][j]);
      }
    }
  }
}
