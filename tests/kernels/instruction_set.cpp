#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <cstdlib>
#include <string_view>

namespace ventris::kernels {
namespace {

/// The kernels are tested with the instruction set in VENTRIS_TEST_TARGET: "AVX2" (every test is skipped where the
/// processor has none), or "plain", which all others get; without it with the processor's best.
class InstructionSet : public ::testing::Environment {
 public:
  void SetUp() override {
    const char* wanted = std::getenv("VENTRIS_TEST_TARGET");
    if (wanted == nullptr) return;
    const std::string_view name = wanted;
    ASSERT_TRUE(name == "AVX2" || name == "plain") << "VENTRIS_TEST_TARGET is " << name;
    if (name == "plain") return hwy::SetSupportedTargetsForTest(HWY_STATIC_TARGET);
    if ((hwy::SupportedTargets() & HWY_AVX2) == 0) GTEST_SKIP() << "this processor has no AVX2";
    hwy::SetSupportedTargetsForTest(HWY_AVX2);
  }
};

const auto* const kInstructionSet = ::testing::AddGlobalTestEnvironment(new InstructionSet);

}  // namespace
}  // namespace ventris::kernels
