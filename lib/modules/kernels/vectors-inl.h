// Included once for each instruction set (Highway's foreach_target), therefore without #pragma once.
#if defined(VENTRIS_KERNELS_VECTORS) == defined(HWY_TARGET_TOGGLE)
#ifdef VENTRIS_KERNELS_VECTORS
#undef VENTRIS_KERNELS_VECTORS
#else
#define VENTRIS_KERNELS_VECTORS
#endif
#include <hwy/highway.h>

#include "kernels/drop_draw.h"
#include "kernels/element_kernels.h"

HWY_BEFORE_NAMESPACE();
namespace ventris::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class D>
HWY_INLINE hn::Vec<D> load(D d, const float* from) {
  return hn::LoadU(d, from);
}

template <class D>
HWY_INLINE hn::Vec<D> load(D d, const BFloat16* from) {
  const hn::Rebind<uint16_t, D> halves;
  const hn::Rebind<uint32_t, D> words;
  const auto upper = hn::LoadU(halves, reinterpret_cast<const uint16_t*>(from));
  return hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(words, upper)));
}

template <class D>
HWY_INLINE void store(D d, hn::Vec<D> value, float* to) {
  hn::StoreU(value, d, to);
}

/// Rounds to nearest, ties to even. A NaN of an arithmetic operation (quiet, with no other bits set) stays NaN.
template <class D>
HWY_INLINE void store(D, hn::Vec<D> value, BFloat16* to) {
  const hn::Rebind<uint16_t, D> halves;
  const hn::Rebind<uint32_t, D> words;
  const hn::Rebind<int32_t, D> integers;
  const auto bits = hn::BitCast(words, value);
  const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(words, 1U));
  const auto rounded = hn::ShiftRight<16>(hn::Add(hn::Add(bits, hn::Set(words, 0x7fffU)), odd));
  hn::StoreU(hn::DemoteTo(halves, hn::BitCast(integers, rounded)), halves, reinterpret_cast<uint16_t*>(to));
}

/// Calls work(tag, i) for whole vectors and then for single elements, to cover [0, count).
template <typename Work>
HWY_INLINE void for_elements(int64_t count, const Work& work) {
  const hn::ScalableTag<float> whole;
  const auto lanes = static_cast<int64_t>(hn::Lanes(whole));
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) work(whole, i);
  const hn::CappedTag<float, 1> single;
  for (; i < count; ++i) work(single, i);
}

/// The factors of elements first, first + 1, ...: 0 or draw.scale.
template <class D>
HWY_INLINE hn::Vec<D> drop_factors(D d, uint32_t first, const DropDraw& draw) {
  const hn::Rebind<uint32_t, D> words;
  const hn::Rebind<int32_t, D> integers;
  auto bits = hn::Mul(hn::Iota(words, first), hn::Set(words, 0x9e3779b9U));
  bits = hn::Add(bits, hn::Set(words, draw.low));
  bits = hn::Xor(bits, hn::ShiftRight<16>(bits));
  bits = hn::Mul(bits, hn::Set(words, 0x7feb352dU));
  bits = hn::Xor(hn::Xor(bits, hn::ShiftRight<15>(bits)), hn::Set(words, draw.high));
  bits = hn::Mul(bits, hn::Set(words, 0x846ca68bU));
  bits = hn::Xor(bits, hn::ShiftRight<16>(bits));
  const auto dropped = hn::Lt(hn::BitCast(integers, bits), hn::Set(integers, draw.lowest_kept));
  return hn::IfThenZeroElse(hn::RebindMask(d, dropped), hn::Set(d, draw.scale));
}

}  // namespace ventris::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
