#include "arithmetic/kernel_sets.h"
#include "arithmetic/tiles.h"

#if defined(__aarch64__)
#include <arm_neon.h>
ARITHMETIC_BEGIN_TARGET("arch=armv8.2-a+dotprod+i8mm")

namespace ventris::arithmetic::neon_i8mm {
namespace {

#include "arithmetic/kernels_neon-inl.h"

/// Adds four products to each sum: of inputs without and weights with a sign.
template <typename Ints>
ARITHMETIC_INLINE void add_products(Ints& sums, Bytes x, Bytes weights) {
  sums = reinterpret_cast<Ints>(vusdotq_s32(reinterpret_cast<int32x4_t>(sums), x, vreinterpretq_s8_u8(weights)));
}

constexpr bool kSumsAreOfSigned = false;

#include "arithmetic/dot_bytes-inl.h"

#include "arithmetic/plain_bf16-inl.h"

#include "arithmetic/kernels-inl.h"

}  // namespace

const Kernels& kernels() {
  static constexpr Kernels kKernels = make_kernels("neon_i8mm");
  return kKernels;
}

}  // namespace ventris::arithmetic::neon_i8mm
ARITHMETIC_END_TARGET
#endif
