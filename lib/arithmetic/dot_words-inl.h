// Sums of products of bytes without VNNI; included within the namespace of a set, which defines Words, widen,
// four_words, multiply_pairs and join_pairs. Bytes are widened to 16 bits, because the instruction that multiplies
// bytes would saturate its sums of two. The inputs are widened once for all columns (widen_inputs), the weights once
// for the rows of a tile.

// NOLINTBEGIN(misc-definitions-in-headers): each set of kernels gets its own copy, by intention
ARITHMETIC_INLINE const int16_t* int8_inputs(const ProductInt8& in) { return in.words; }

void widen_inputs(const uint8_t* a, int64_t count, int16_t* words) {
  int64_t i = 0;
  for (; i + kLanes * 2 <= count; i += kLanes * 2) store_words(a + i, words + i);
  for (; i < count; ++i) words[i] = a[i];
}
constexpr auto kWidenInputs = &widen_inputs;

/// How many vectors of sums a pass over the rows computes: as many as there are registers for.
template <int kRows, int kColumns>
constexpr int vectors_at_once() {
  constexpr int kRegisters = kLanes == 16 ? 32 : 16;
  int vectors = kColumns;
  while (vectors > 1 && (kRows * 2 * vectors + 2 * vectors + 1 > kRegisters || kColumns % vectors != 0)) --vectors;
  return vectors;
}

/// sums[r][j] += the products of 4 * steps words of row r of `a` with the columns of the vectors first to first +
/// kVectorsAtOnce - 1.
template <int kRows, int kVectorsAtOnce, typename Sums>
ARITHMETIC_INLINE void dot_words(const int16_t* a, const int8_t* b, int64_t steps, int first, Sums& sums) {
  constexpr int kPairs = kVectorsAtOnce * 2;  // each sum of four products as two sums of two
  Words pairs[kRows][kPairs] = {};
  for (int64_t i = 0; i < steps; ++i) {
    Words weights[kPairs];
#pragma GCC unroll 16
    for (int j = 0; j < kPairs; ++j) {
      const int64_t column = (first * 2 + j) * (kLanes / 2);
      weights[j] = widen(b + column / kPanel * (steps * kPanel * 4) + i * (kPanel * 4) + column % kPanel * 4);
    }
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      const Words x = four_words(a + (r * steps + i) * 4);
#pragma GCC unroll 16
      for (int j = 0; j < kPairs; ++j) pairs[r][j] = add_ints(pairs[r][j], multiply_pairs(x, weights[j]));
    }
  }
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 16
    for (int j = 0; j < kVectorsAtOnce; ++j) sums[r][first + j] += join_pairs(pairs[r][2 * j], pairs[r][2 * j + 1]);
  }
}

/// sums[r][j] += the products of 4 * steps words of row r of `a` with the columns of vector j.
template <int kRows, int kColumns, typename Sums>
ARITHMETIC_INLINE void dot_int8(const int16_t* a, const int8_t* b, int64_t steps, Sums& sums) {
  constexpr int kVectorsAtOnce = vectors_at_once<kRows, kColumns>();
#pragma GCC unroll 16
  for (int j = 0; j < kColumns; j += kVectorsAtOnce) dot_words<kRows, kVectorsAtOnce>(a, b, steps, j, sums);
}
// NOLINTEND(misc-definitions-in-headers)
