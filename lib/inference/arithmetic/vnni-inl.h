// Products of bytes with AVX-512-VNNI; included within the namespace of a set.
using ShapeInt8 = TileShape<6, 4, 2, 8>;

constexpr bool kSumsAreOfSigned = false;  // NOLINT(misc-definitions-in-headers): as kernels-inl.h

/// Adds four products to each sum.
template <typename Ints>
ARITHMETIC_INLINE void add_products(Ints& sums, Bytes x, Bytes weights) {
  sums = reinterpret_cast<Ints>(_mm512_dpbusd_epi32(reinterpret_cast<__m512i>(sums), x, weights));
}
