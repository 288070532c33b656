#include "support/flag_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ventris::apps {
namespace {

using testing::HasSubstr;

class FlagValues : public testing::Test {
 protected:
  FlagValues() {
    app.add_option("--seed", seed);
    app.add_option("--count", count)->check(CLI::Range(-5, 1'000'000));
    app.add_option("--file", file)->type_name("FILE");
    app.add_option("--text", text);
    app.add_subcommand("learn")->add_option("--size", size);
    check_flag_values(app);
  }

  /// What is wrong with this command line; empty if nothing is.
  std::string problem(std::vector<std::string> words) {
    std::reverse(words.begin(), words.end());
    try {
      app.parse(words);
      return "";
    } catch (const CLI::ParseError& error) {
      return error.what();
    }
  }

  CLI::App app;
  uint64_t seed = 0;
  int64_t count = 0, size = 0;
  std::string file, text;
};

TEST_F(FlagValues, WholeNumbersAreTakenAsTheyAreWritten) {
  EXPECT_EQ(problem({"--seed", "18446744073709551615", "--count", "-5"}), "");
  EXPECT_EQ(seed, 18446744073709551615U);
  EXPECT_EQ(count, -5);
  EXPECT_EQ(problem({"--seed", "0", "--count", "+7"}), "");
  EXPECT_EQ(seed, 0U);
  EXPECT_EQ(count, 7);
}

TEST_F(FlagValues, LeadingZerosMakeNoOctalNumber) {
  EXPECT_EQ(problem({"--seed", "010", "--count", "-0003"}), "");
  EXPECT_EQ(seed, 10U);
  EXPECT_EQ(count, -3);
  EXPECT_EQ(problem({"--seed", "000"}), "");
  EXPECT_EQ(seed, 0U);
}

TEST_F(FlagValues, ANumberThatDoesNotFitIsRefusedNotClamped) {
  EXPECT_THAT(problem({"--seed", "18446744073709551616"}),
              HasSubstr("--seed: expected a whole number from 0 to 18446744073709551615; got '18446744073709551616'"));
  EXPECT_THAT(problem({"--seed", "-1"}), HasSubstr("expected a whole number from 0"));
  EXPECT_THAT(problem({"learn", "--size", "9223372036854775808"}),
              HasSubstr("--size: expected a whole number from -9223372036854775808 to 9223372036854775807"));
  for (const char* bad : {"", "0x10", "1e3", "ten", "20M", "1 ", "--3", "+-3", "+"}) {
    EXPECT_THAT(problem({"--count=" + std::string(bad)}), HasSubstr("--count")) << bad;
  }
  EXPECT_THAT(problem({"--count", "20M"}),
              HasSubstr("--count: expected a whole number in decimal digits, without a unit; got '20M'"));
}

TEST_F(FlagValues, ARangeIsStillChecked) { EXPECT_THAT(problem({"--count", "1000001"}), HasSubstr("1000001")); }

TEST_F(FlagValues, AnEmptyPathIsRefusedAndAnEmptyTextIsNot) {
  EXPECT_THAT(problem({"--file", ""}), HasSubstr("--file: expected a path, got an empty one (an unset variable?)"));
  EXPECT_EQ(problem({"--text", ""}), "");
}

}  // namespace
}  // namespace ventris::apps
