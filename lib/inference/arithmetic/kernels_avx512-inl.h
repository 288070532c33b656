// What the sets with AVX-512 share; included within the namespace of a set.
using Floats = __m512;
constexpr int64_t kLanes = 16;  // NOLINT(misc-definitions-in-headers)
using ShapeF32 = TileShape<6, 4, 2, 8>;

ARITHMETIC_INLINE Floats all(float value) { return _mm512_set1_ps(value); }
ARITHMETIC_INLINE Floats fma(Floats a, Floats b, Floats c) { return _mm512_fmadd_ps(a, b, c); }
ARITHMETIC_INLINE Floats maximum(Floats a, Floats b) { return _mm512_max_ps(a, b); }
ARITHMETIC_INLINE float sum_of(Floats x) { return _mm512_reduce_add_ps(x); }
ARITHMETIC_INLINE float largest_of(Floats x) { return _mm512_reduce_max_ps(x); }
/// A bit for each element over `limit`.
ARITHMETIC_INLINE uint32_t lanes_above(Floats x, float limit) {
  return _mm512_cmp_ps_mask(x, _mm512_set1_ps(limit), _CMP_GT_OQ);
}

/// The first `count` elements (1 to kLanes), and `fill` for the others.
ARITHMETIC_INLINE Floats load_part(const float* from, int64_t count, float fill) {
  return _mm512_mask_loadu_ps(_mm512_set1_ps(fill), static_cast<__mmask16>((1U << count) - 1), from);
}
ARITHMETIC_INLINE void store_part(Floats x, int64_t count, float* to) {
  _mm512_mask_storeu_ps(to, static_cast<__mmask16>((1U << count) - 1), x);
}

/// The sums of four vectors.
ARITHMETIC_INLINE void store_four_sums(Floats a, Floats b, Floats c, Floats d, float* to) {
  const Floats ab = _mm512_add_ps(_mm512_unpacklo_ps(a, b), _mm512_unpackhi_ps(a, b));
  const Floats cd = _mm512_add_ps(_mm512_unpacklo_ps(c, d), _mm512_unpackhi_ps(c, d));
  const __m512d first = _mm512_castps_pd(ab), second = _mm512_castps_pd(cd);
  const Floats all = _mm512_add_ps(_mm512_castpd_ps(_mm512_unpacklo_pd(first, second)),
                                   _mm512_castpd_ps(_mm512_unpackhi_pd(first, second)));
  const __m256 half = _mm256_add_ps(_mm512_castps512_ps256(all), _mm512_extractf32x8_ps(all, 1));
  _mm_storeu_ps(to, _mm_add_ps(_mm256_castps256_ps128(half), _mm256_extractf128_ps(half, 1)));
}

/// The bits after the leading one of 2^(j / 32), less j << 18: tests/arithmetic/exponential.py.
alignas(64) constexpr int32_t kPowers[32] = {  // NOLINT(misc-definitions-in-headers)
                                             0,       -78457,  -152893, -223217, -289342, -351174, -408621, -461584,
                                             -509968, -553670, -592590, -626621, -655657, -679589, -698305, -711690,
                                             -719629, -722001, -718684, -709555, -694486, -673346, -646004, -612322,
                                             -572163, -525384, -471841, -411385, -343865, -269126, -187011, -97357};

/// As exponential(), with fewer operations. It is 2^whole times 2^(j / 32), which is in a table, times 2^rest, with
/// rest from -1/64 to 1/64.
ARITHMETIC_INLINE Floats quick_exponential(Floats x) {
  x = maximum(all(-87.0F), x);  // in this order, NaN stays NaN
  const Floats magic = all(393216.0F + 127.0F);  // the lowest bits of a sum with it: 5 of j, then whole + 127
  const Floats shifted = fma(x, all(1.44269504F), magic);
  const Floats rest = fma(x, all(1.44269504F), magic - shifted);
  const __m512i bits = _mm512_castps_si512(shifted);
  const __m512i powers = _mm512_permutex2var_epi32(_mm512_load_si512(kPowers), bits, _mm512_load_si512(kPowers + 16));
  const Floats power = _mm512_castsi512_ps(_mm512_add_epi32(_mm512_slli_epi32(bits, 18), powers));
  return fma(fma(rest, all(0.240226507F), all(0.693157315F)), rest, all(1.0F)) * power;
}

/// Stores the lowest byte of each element.
template <typename Ints>
ARITHMETIC_INLINE void store_bytes(Ints x, uint8_t* to) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm512_cvtepi32_epi8(reinterpret_cast<__m512i>(x)));
}

using Bytes = __m512i;
ARITHMETIC_INLINE Bytes load_bytes(const void* from) { return _mm512_loadu_si512(from); }
/// Four bytes, again and again.
ARITHMETIC_INLINE Bytes repeat_four(const void* from) {
  int32_t four;
  __builtin_memcpy(&four, from, sizeof four);
  return _mm512_set1_epi32(four);
}
