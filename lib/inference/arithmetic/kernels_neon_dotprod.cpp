#include "arithmetic/kernel_sets.h"
#include "arithmetic/tiles.h"

#if defined(__aarch64__)
#include <arm_neon.h>
ARITHMETIC_BEGIN_TARGET("arch=armv8.2-a+dotprod")

namespace ventris::arithmetic::neon_dotprod {
namespace {

#include "arithmetic/kernels_neon-inl.h"

/// Adds four products to each sum. The instruction multiplies signed bytes, so 128 is taken off each input.
template <typename Ints>
ARITHMETIC_INLINE void add_products(Ints& sums, Bytes x, Bytes weights) {
  const int8x16_t inputs = vreinterpretq_s8_u8(veorq_u8(x, vdupq_n_u8(128)));
  sums = reinterpret_cast<Ints>(vdotq_s32(reinterpret_cast<int32x4_t>(sums), inputs, vreinterpretq_s8_u8(weights)));
}

constexpr bool kSumsAreOfSigned = true;

#include "arithmetic/dot_bytes-inl.h"

#include "arithmetic/plain_bf16-inl.h"

#include "arithmetic/kernels-inl.h"

}  // namespace

const Kernels& kernels() {
  static constexpr Kernels kKernels = make_kernels("neon_dotprod");
  return kKernels;
}

}  // namespace ventris::arithmetic::neon_dotprod
ARITHMETIC_END_TARGET
#endif
