#include "arithmetic/kernels.h"

#if defined(__aarch64__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#elif defined(__x86_64__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include <cstdlib>

#include "arithmetic/kernel_sets.h"
#include "core/error.h"

namespace ventris::arithmetic {
namespace {

#if defined(__x86_64__)
/// Whether VENTRIS_KERNELS asks for AMX, the processor has it, and the system lets this process use it (it must be
/// asked first, Linux 5.16).
bool may_use_amx() {
  const char* wanted = std::getenv("VENTRIS_KERNELS");  // a permission for tiles changes what signals need
  if (wanted == nullptr || std::string(wanted) != "amx") return false;
  constexpr unsigned kBf16 = 1U << 22U, kTiles = 1U << 24U, kInt8 = 1U << 25U, kAll = kBf16 | kTiles | kInt8;
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) == 0 || (edx & kAll) != kAll) return false;
  constexpr long kAskForFeature = 0x1023, kTileData = 18;  // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA
  static const bool allowed = syscall(SYS_arch_prctl, kAskForFeature, kTileData) == 0;
  return allowed;
}
#endif

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
  const bool bf16 = vnni && __builtin_cpu_supports("avx512bf16");
  if (bf16) found.push_back(&avx512_bf16::kernels());
  if (vnni) found.push_back(&avx512_vnni::kernels());
  if (avx512) found.push_back(&avx512::kernels());
  if (bf16 && may_use_amx()) found.push_back(&amx::kernels());  // not first: it was never timed on a processor
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
