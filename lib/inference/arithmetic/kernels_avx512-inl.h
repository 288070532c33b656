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

/// x Phi(-x) around the multiples of 3/16, as polynomials: 32 coefficients of each power (tests/arithmetic/gelu.py).
// clang-format off: four numbers a line
// NOLINTNEXTLINE(misc-definitions-in-headers)
alignas(64) constexpr float kGeluTable[5 * 32] = {
    0.0F, 0.0798064321F, 0.132686332F, 0.161374331F,
    0.169970512F, 0.163360044F, 0.146581337F, 0.124261916F,
    0.100210801F, 0.0772092417F, 0.056993179F, 0.0403839126F,
    0.0275050644F, 0.0180243552F, 0.0113726771F, 0.00691284705F,
    0.00404969417F, 0.00228716596F, 0.00124563975F, 0.000654324191F,
    0.000331564806F, 0.000162096898F, 7.64640426e-05F, 3.48059475e-05F,
    1.52895282e-05F, 6.48193827e-06F, 2.65220615e-06F, 1.04741628e-06F,
    3.99260415e-07F, 1.46903176e-07F, 5.21741192e-08F, 0.0F,
    0.5F, 0.352136284F, 0.214385033F, 0.0953189954F,
    0.000774828601F, -0.0667556375F, -0.10806644F, -0.126602724F,
    -0.127469257F, -0.11635033F, -0.0985781178F, -0.0785000324F,
    -0.0591899157F, -0.0424589068F, -0.0290685985F, -0.0190369561F,
    -0.0119456472F, -0.00719123846F, -0.00415717717F, -0.00230953307F,
    -0.00123380031F, -0.0006341259F, -0.000313684548F, -0.000149398213F,
    -6.85261839e-05F, -3.02783574e-05F, -1.28903066e-05F, -5.28844066e-06F,
    -2.09119003e-06F, -7.97113898e-07F, -2.92927922e-07F, 0.0F,
    -0.398942649F, -0.385100216F, -0.345708907F, -0.286688685F,
    -0.216442585F, -0.144102111F, -0.0777986199F, -0.0233792886F,
    0.0161895808F, 0.0407135002F, 0.0521270819F, 0.0535910279F,
    0.0486013852F, 0.0403061956F, 0.0311146434F, 0.0225845277F,
    0.0155114885F, 0.0101234606F, 0.00629697368F, 0.00374119892F,
    0.00212658895F, 0.00115799753F, 0.000604679517F, 0.000303035747F,
    0.000145850165F, 6.74541079e-05F, 2.99918902e-05F, 1.28253141e-05F,
    5.27656084e-06F, 2.0892121e-06F, 7.96298707e-07F, 0.0F,
    1.84612782e-05F, 0.0484498441F, 0.0894854888F, 0.117354468F,
    0.12914446F, 0.125166744F, 0.108504251F, 0.0839469209F,
    0.0566938184F, 0.0312104486F, 0.0105099976F, -0.00405455101F,
    -0.0125674652F, -0.0160759222F, -0.0160600413F, -0.0139953094F,
    -0.0110795861F, -0.00812673103F, -0.0055846218F, -0.00362060312F,
    -0.00222488679F, -0.00130020618F, -0.000724358833F, -0.000385424908F,
    -0.000196155903F, -9.55967116e-05F, -4.4655495e-05F, -2.0009511e-05F,
    -8.6062073e-06F, -3.55501652e-06F, -1.41101646e-06F, 0.0F,
    0.0662496462F, 0.0612356067F, 0.0469672121F, 0.0267347191F,
    0.00478089601F, -0.0147210108F, -0.028684346F, -0.0356925242F,
    -0.0360359289F, -0.0312876776F, -0.0236372147F, -0.0152303027F,
    -0.0077011832F, -0.00197297195F, 0.0017018955F, 0.00355230109F,
    0.00405400246F, 0.00372902467F, 0.00301746069F, 0.00222398574F,
    0.00151956908F, 0.000972460199F, 0.000586740207F, 0.000335274206F,
    0.000182030126F, 9.41301187e-05F, 4.644816e-05F, 2.19030899e-05F,
    9.88229021e-06F, 4.27022815e-06F, 1.76864501e-06F, 0.0F};
// clang-format on

/// As gelu(), with fewer operations. It is max(x, 0) - |x| Phi(-|x|), whose error is at most 1e-7.
ARITHMETIC_INLINE Floats quick_gelu(Floats x) {
  const Floats size = _mm512_min_ps(_mm512_abs_ps(x), all(5.8125F));  // there, the second term is 0
  const Floats magic = all(12582912.0F);  // the lowest 5 bits of a sum with it: the place
  const Floats shifted = fma(size, all(5.33333333F), magic);
  const Floats rest = fma(shifted - magic, all(-0.1875F), size);
  const __m512i place = _mm512_castps_si512(shifted);
  Floats sum = {};
#pragma GCC unroll 5
  for (int power = 4; power >= 0; --power) {
    const float* row = kGeluTable + int64_t{32} * power;
    sum = fma(sum, rest, _mm512_permutex2var_ps(_mm512_load_ps(row), place, _mm512_load_ps(row + 16)));
  }
  return maximum(Floats{}, x) - sum;  // in this order, NaN stays NaN
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
