#include "arithmetic/kernels.h"

#if defined(__aarch64__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

#include <cstdlib>

#include "arithmetic/kernel_sets.h"
#include "core/error.h"

namespace ventris::arithmetic {
namespace {

const Kernels& choose() {
  const std::vector<const Kernels*> found = available_kernels();
  const char* wanted = std::getenv("VENTRIS_KERNELS");
  if (wanted == nullptr || *wanted == '\0') return *found.front();
  std::string names;
  for (const Kernels* kernels : found) {
    if (std::string(kernels->name) == wanted) return *kernels;
    names += (names.empty() ? "" : ", ") + std::string(kernels->name);
  }
  fail<ConfigError>("VENTRIS_KERNELS: this processor has no instruction set '", wanted, "'; it has ", names);
}

}  // namespace

std::vector<const Kernels*> available_kernels() {
  std::vector<const Kernels*> found;
#if defined(__x86_64__)
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  const bool vnni = avx512 && __builtin_cpu_supports("avx512vnni");
  if (vnni && __builtin_cpu_supports("avx512bf16")) found.push_back(&avx512_bf16::kernels());
  if (vnni) found.push_back(&avx512_vnni::kernels());
  if (avx512) found.push_back(&avx512::kernels());
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) found.push_back(&avx2::kernels());
#elif defined(__aarch64__)
  if ((getauxval(AT_HWCAP2) & HWCAP2_I8MM) != 0) found.push_back(&neon_i8mm::kernels());
  if ((getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0) found.push_back(&neon_dotprod::kernels());
  found.push_back(&neon::kernels());
#endif
  found.push_back(&portable::kernels());
  return found;
}

const Kernels& kernels() {
  static const Kernels& chosen = choose();
  return chosen;
}

}  // namespace ventris::arithmetic
