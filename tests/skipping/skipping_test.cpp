#include <gtest/gtest.h>

#include "support/run_program.h"

/// The exit codes of test programs (support/main.cpp).
namespace ventris::test {
namespace {

TEST(DISABLED_Inner, Passes) {}
TEST(DISABLED_Inner, Skips) { GTEST_SKIP() << "for the test below"; }
TEST(DISABLED_Inner, Fails) { FAIL() << "for the test below"; }

/// The exit code of this program with only these of the cases above ("*Inner.Passes").
int code_of(const std::string& cases) {
  return run_program("test_skipping", {"--gtest_also_run_disabled_tests", "--gtest_filter=" + cases}).code;
}

TEST(ExitCode, SaysWhetherACaseFailedOrElseWasSkipped) {
  EXPECT_EQ(code_of("*Inner.Passes"), 0);
  EXPECT_EQ(code_of("*Inner.Skips"), 77);
  EXPECT_EQ(code_of("*Inner.Passes:*Inner.Skips"), 77);
  EXPECT_EQ(code_of("*Inner.Fails:*Inner.Skips"), 1);
}

}  // namespace
}  // namespace ventris::test
