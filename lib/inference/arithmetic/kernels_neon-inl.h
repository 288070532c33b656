// What the sets of AArch64 share; included within the namespace of a set. All processors with AArch64 have these
// instructions (NEON).
using Floats = float32x4_t;
constexpr int64_t kLanes = 4;  // NOLINT(misc-definitions-in-headers)
using ShapeF32 = TileShape<4, 1, 2, 2>;
using ShapeInt8 = TileShape<4, 1, 2, 2>;
using ShapeBf16 = TileShape<3, 1, 1, 2>;

ARITHMETIC_INLINE Floats all(float value) { return vdupq_n_f32(value); }
ARITHMETIC_INLINE Floats fma(Floats a, Floats b, Floats c) { return vfmaq_f32(c, a, b); }
ARITHMETIC_INLINE Floats maximum(Floats a, Floats b) { return vmaxq_f32(a, b); }
ARITHMETIC_INLINE float sum_of(Floats x) { return vaddvq_f32(x); }
ARITHMETIC_INLINE float largest_of(Floats x) { return vmaxvq_f32(x); }
/// A bit for each element over `limit`.
ARITHMETIC_INLINE uint32_t lanes_above(Floats x, float limit) {
  const uint32x4_t bits = {1, 2, 4, 8};
  return vaddvq_u32(vandq_u32(vcgtq_f32(x, vdupq_n_f32(limit)), bits));
}

/// The first `count` elements (1 to kLanes), and `fill` for the others.
ARITHMETIC_INLINE Floats load_part(const float* from, int64_t count, float fill) {
  if (count >= kLanes) return vld1q_f32(from);
  Floats x = vld1q_lane_f32(from, vdupq_n_f32(fill), 0);
  if (count > 1) x = vld1q_lane_f32(from + 1, x, 1);
  return count > 2 ? vld1q_lane_f32(from + 2, x, 2) : x;
}
ARITHMETIC_INLINE void store_part(Floats x, int64_t count, float* to) {
  if (count >= kLanes) return vst1q_f32(to, x);
  vst1q_lane_f32(to, x, 0);
  if (count > 1) vst1q_lane_f32(to + 1, x, 1);
  if (count > 2) vst1q_lane_f32(to + 2, x, 2);
}

/// The sums of four vectors.
ARITHMETIC_INLINE void store_four_sums(Floats a, Floats b, Floats c, Floats d, float* to) {
  vst1q_f32(to, vpaddq_f32(vpaddq_f32(a, b), vpaddq_f32(c, d)));
}

/// Stores the lowest byte of each element.
template <typename Ints>
ARITHMETIC_INLINE void store_bytes(Ints x, uint8_t* to) {
  const uint16x4_t halves = vmovn_u32(reinterpret_cast<uint32x4_t>(x));
  vst1_lane_u32(reinterpret_cast<uint32_t*>(to), vreinterpret_u32_u8(vmovn_u16(vcombine_u16(halves, halves))), 0);
}

using Bytes = uint8x16_t;
ARITHMETIC_INLINE Bytes load_bytes(const void* from) { return vld1q_u8(static_cast<const uint8_t*>(from)); }
/// Four bytes, again and again.
ARITHMETIC_INLINE Bytes repeat_four(const void* from) {
  uint32_t four;
  __builtin_memcpy(&four, from, sizeof four);
  return vreinterpretq_u8_u32(vdupq_n_u32(four));
}
