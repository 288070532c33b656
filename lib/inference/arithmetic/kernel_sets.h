#pragma once
#include "arithmetic/kernels.h"

/// The kernels of each instruction set. Only a processor with the set may call them.
namespace ventris::arithmetic {

namespace portable {
const Kernels& kernels();
}
#if defined(__x86_64__)
namespace avx2 {
const Kernels& kernels();
}
namespace avx512 {
const Kernels& kernels();
}
namespace avx512_vnni {
const Kernels& kernels();
}
namespace avx512_bf16 {
const Kernels& kernels();
}
namespace amx {
const Kernels& kernels();
}
#elif defined(__aarch64__)
namespace neon {
const Kernels& kernels();
}
namespace neon_dotprod {
const Kernels& kernels();
}
namespace neon_i8mm {
const Kernels& kernels();
}
#endif

}  // namespace ventris::arithmetic
