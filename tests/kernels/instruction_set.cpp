#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <cstdlib>
#include <string_view>

namespace ventris::kernels {
namespace {

/// The kernels are tested with the instruction set that VENTRIS_TEST_TARGET names as Highway does ("AVX2"); without it
/// with the best one of the processor. Skips every test where the processor or the build has none of that name.
class InstructionSet : public ::testing::Environment {
 public:
  void SetUp() override {
    const char* wanted = std::getenv("VENTRIS_TEST_TARGET");
    if (wanted == nullptr) return;
    for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
      if (std::string_view(hwy::TargetName(target)) == wanted) return hwy::SetSupportedTargetsForTest(target);
    }
    GTEST_SKIP() << "no kernels for " << wanted << " on this processor";
  }
};

const auto* const kInstructionSet = ::testing::AddGlobalTestEnvironment(new InstructionSet);

}  // namespace
}  // namespace ventris::kernels
