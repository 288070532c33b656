#include "arithmetic/kernel_sets.h"
#include "arithmetic/tiles.h"

#if defined(__aarch64__)
#include <arm_neon.h>

namespace ventris::arithmetic::neon {
namespace {

#include "arithmetic/kernels_neon-inl.h"

/// Adds four products to each sum. A product, and the sum of two (kLargestPair), is within 16 bits.
template <typename Ints>
ARITHMETIC_INLINE void add_products(Ints& sums, Bytes x, Bytes weights) {
  const int8x16_t signed_weights = vreinterpretq_s8_u8(weights);
  const auto first = vreinterpretq_s16_u16(vmovl_u8(vget_low_u8(x)));  // that of all columns
  const int16x8_t low = vmulq_s16(first, vmovl_s8(vget_low_s8(signed_weights)));
  const int16x8_t high = vmulq_s16(first, vmovl_high_s8(signed_weights));
  const int32x4_t fours = vpaddlq_s16(vpaddq_s16(low, high));
  sums = reinterpret_cast<Ints>(vaddq_s32(reinterpret_cast<int32x4_t>(sums), fours));
}

constexpr bool kSumsAreOfSigned = false;

#include "arithmetic/dot_bytes-inl.h"

#include "arithmetic/plain_bf16-inl.h"

#include "arithmetic/kernels-inl.h"

}  // namespace

const Kernels& kernels() {
  static constexpr Kernels kKernels = make_kernels("neon");
  return kKernels;
}

}  // namespace ventris::arithmetic::neon
#endif
