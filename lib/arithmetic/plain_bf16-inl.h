// Sums of products for instruction sets without instructions for them; included within the namespace of a set.

/// sums[r][j] += the products of 2 * steps bfloat16 of row r of `a` with the columns of vector j.
template <int kRows, int kColumns, typename Sums>
ARITHMETIC_INLINE void dot_bf16(const uint16_t* a, const uint16_t* b, int64_t steps, Sums& sums) {
  constexpr int64_t kWidth = 16 / kLanes, kStride = kLanes * 2;
  for (int64_t i = 0; i < steps; ++i) {
    for (int j = 0; j < kColumns; ++j) {
      const uint16_t* from = b + (j / kWidth) * steps * 32 + i * 32 + (j % kWidth) * kStride;
      Floats first = {}, second = {};
      for (int64_t lane = 0; lane < kLanes; ++lane) {
        const uint32_t low = static_cast<uint32_t>(from[2 * lane]) << 16;
        const uint32_t high = static_cast<uint32_t>(from[2 * lane + 1]) << 16;
        float value;
        __builtin_memcpy(&value, &low, sizeof value);
        first[lane] = value;
        __builtin_memcpy(&value, &high, sizeof value);
        second[lane] = value;
      }
      for (int r = 0; r < kRows; ++r) {
        const uint32_t low = static_cast<uint32_t>(a[r * steps * 2 + 2 * i]) << 16;
        const uint32_t high = static_cast<uint32_t>(a[r * steps * 2 + 2 * i + 1]) << 16;
        float x, y;
        __builtin_memcpy(&x, &low, sizeof x);
        __builtin_memcpy(&y, &high, sizeof y);
        sums[r][j] = fma(Floats{} + y, second, fma(Floats{} + x, first, sums[r][j]));
      }
    }
  }
}
