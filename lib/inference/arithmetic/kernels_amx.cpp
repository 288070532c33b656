#include "arithmetic/kernel_sets.h"
#include "arithmetic/tiles.h"

#if defined(__x86_64__)
#pragma GCC diagnostic push
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // in the headers of GCC 12
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif
#include <immintrin.h>
ARITHMETIC_BEGIN_TARGET("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,fma,avx512bf16,amx-tile,amx-int8,amx-bf16")

namespace ventris::arithmetic::amx {
namespace {

#include "arithmetic/kernels_avx512-inl.h"

#include "arithmetic/vnni-inl.h"

#include "arithmetic/dot_bytes-inl.h"

#include "arithmetic/dot_bf16-inl.h"

#include "arithmetic/kernels-inl.h"

#include "arithmetic/amx-inl.h"

constexpr Kernels with_tiles() {
  Kernels kernels = make_kernels("amx");
  kernels.product_int8 = product_int8_in_tiles;
  kernels.product_bf16 = product_bf16_in_tiles;
  return kernels;
}

}  // namespace

const Kernels& kernels() {
  static constexpr Kernels kKernels = with_tiles();
  return kKernels;
}

}  // namespace ventris::arithmetic::amx
ARITHMETIC_END_TARGET
#pragma GCC diagnostic pop
#endif
