// Sums of products of bfloat16 for sets without instructions for them; included within the namespace of a set. A
// bfloat16 is the upper half of a float.

/// sums[r][j] += the products of 2 * steps bfloat16 of row r of `a` with the columns of vector j.
template <int kRows, int kColumns, typename Sums>
ARITHMETIC_INLINE void dot_bf16(const uint16_t* a, const uint16_t* b, int64_t steps, Sums& sums) {
  using Pairs = uint32_t __attribute__((vector_size(sizeof(Floats))));
  constexpr uint32_t kUpper = 0xffff0000U;
  constexpr int64_t kVectorsOfPanel = kPanel / kLanes, kStride = kLanes * 2;
  for (int64_t i = 0; i < steps; ++i) {
#pragma GCC unroll 16
    for (int j = 0; j < kColumns; ++j) {
      Pairs both;
      __builtin_memcpy(&both, b + (j / kVectorsOfPanel) * steps * 32 + i * 32 + (j % kVectorsOfPanel) * kStride,
                       sizeof both);
      const Floats first = __builtin_bit_cast(Floats, both << 16), second = __builtin_bit_cast(Floats, both & kUpper);
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) {
        uint32_t bits;
        __builtin_memcpy(&bits, a + (r * steps + i) * 2, sizeof bits);
        const Pairs pair = Pairs{} + bits;
        sums[r][j] = fma(__builtin_bit_cast(Floats, pair << 16), first, sums[r][j]);
        sums[r][j] = fma(__builtin_bit_cast(Floats, pair & kUpper), second, sums[r][j]);
      }
    }
  }
}
