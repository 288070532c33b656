#include <gtest/gtest.h>

/// The main function of all test programs. If a case was skipped and none failed, the exit code is 77, so that ctest
/// says "Skipped" (SKIP_RETURN_CODE in tests/CMakeLists.txt); gtest's own main function would say that all is well.
int main(int argc, char** argv) {
  constexpr int kSkipped = 77;
  testing::InitGoogleTest(&argc, argv);
  const int failed = RUN_ALL_TESTS();
  return failed == 0 && testing::UnitTest::GetInstance()->skipped_test_count() > 0 ? kSkipped : failed;
}
