#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "arithmetic/kernels.h"

namespace ventris::engine {
namespace {

using arithmetic::available_kernels;
using arithmetic::Kernels;

/// Skips every test if VENTRIS_KERNELS names a set that this processor does not have, or the one that it uses anyway,
/// with which the same cases run by themselves.
class KernelSet : public ::testing::Environment {
 public:
  void SetUp() override {
    const char* wanted = std::getenv("VENTRIS_KERNELS");
    if (wanted == nullptr || *wanted == '\0') return;
    const auto sets = available_kernels();
    const auto has = [wanted](const Kernels* set) { return std::string_view(set->name) == wanted; };
    if (std::none_of(sets.begin(), sets.end(), has)) {
      GTEST_SKIP() << "this processor does not have the kernels " << wanted;
    }
    if (has(sets.front())) GTEST_SKIP() << "other tests already use the kernels " << wanted;
  }
};

const auto* const kKernelSet = ::testing::AddGlobalTestEnvironment(new KernelSet);

}  // namespace
}  // namespace ventris::engine
