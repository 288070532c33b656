#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "arithmetic/amx_emulator.h"
#include "arithmetic/every_kernel_set.h"
#include "arithmetic/kernel_sets.h"

namespace ventris::test {

/// The set "amx" if this processor has what else the set uses (AVX-512 with bf16); otherwise null.
inline const arithmetic::Kernels* amx_kernels() {
#if defined(__x86_64__)
  if (std::string(arithmetic::available_kernels().front()->name) == "avx512_bf16") return &arithmetic::amx::kernels();
#endif
  return nullptr;
}

inline bool must_emulate(const arithmetic::Kernels* kernels) {
  const auto available = arithmetic::available_kernels();
  return std::find(available.begin(), available.end(), kernels) == available.end();
}

/// Computes the instructions of AMX if `kernels` need them and this processor lacks them.
class AmxIfNeeded {
 public:
  explicit AmxIfNeeded([[maybe_unused]] const arithmetic::Kernels* kernels) {
#if defined(__x86_64__)
    if (must_emulate(kernels)) emulator_.emplace();
#endif
  }

 private:
#if defined(__x86_64__)
  std::optional<AmxEmulator> emulator_;
#endif
};

/// A test that runs with each set of kernels that this processor has, and with "amx" in an emulator.
class EveryKernelSetAndAmx : public EveryKernelSet {
 private:
  AmxIfNeeded amx_{GetParam()};
};

inline std::vector<const arithmetic::Kernels*> kernel_sets_and_amx() {
  auto sets = arithmetic::available_kernels();
  const arithmetic::Kernels* amx = amx_kernels();
  if (amx != nullptr && must_emulate(amx)) sets.insert(sets.end() - 1, amx);
  return sets;
}

}  // namespace ventris::test
