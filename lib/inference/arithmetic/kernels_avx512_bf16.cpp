#include "arithmetic/kernel_sets.h"
#include "arithmetic/tiles.h"

#if defined(__x86_64__)
#pragma GCC diagnostic push
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // in the headers of GCC 12
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif
#include <immintrin.h>
ARITHMETIC_BEGIN_TARGET("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,fma,avx512bf16")

namespace ventris::arithmetic::avx512_bf16 {
namespace {

#include "arithmetic/kernels_avx512-inl.h"

#include "arithmetic/vnni-inl.h"

#include "arithmetic/dot_bytes-inl.h"

#include "arithmetic/dot_bf16-inl.h"

#include "arithmetic/kernels-inl.h"

}  // namespace

const Kernels& kernels() {
  static constexpr Kernels kKernels = make_kernels("avx512_bf16");
  return kKernels;
}

}  // namespace ventris::arithmetic::avx512_bf16
ARITHMETIC_END_TARGET
#pragma GCC diagnostic pop
#endif
