#include "support/terminal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "support/temp_folder.h"

/// What programs write on a terminal, and do not write elsewhere.
namespace ventris::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr const char* kRedName = "\033[31mventris-vocab:\033[m ";
const std::vector<std::string> kWrong{"--bogus"};

/// The program ends a good second after it has begun to read.
Outcome learn(const TempFolder& folder, std::vector<std::string> flags, const std::vector<std::string>& environment) {
  for (const std::string& flag : {std::string("-i"), std::string("-"), std::string("-o"), folder.path("spm")}) {
    flags.push_back(flag);
  }
  return run_on_terminal("ventris-vocab", flags, environment, "one line\nand another\nbroken \xff\n", 1.5);
}

TEST(Terminal, AProgressLineComesAndGoesWithoutTearingLogLines) {
  const TempFolder folder;
  const Outcome outcome = learn(folder, {}, {});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, StartsWith("\r\033[K"));
  EXPECT_THAT(outcome.err, HasSubstr("reading, 3 lines, 0:01"));
  EXPECT_THAT(outcome.err, HasSubstr("\r\033[K["));                // of the warning
  EXPECT_THAT(outcome.err, Not(HasSubstr("0:01[")));
  EXPECT_THAT(outcome.err, HasSubstr("] \033[33m\033[1mwarning\033[m "));
  EXPECT_THAT(outcome.err, HasSubstr("] \033[32minfo\033[m "));
}

TEST(Terminal, AFileNameInTheProgressLineIsPrintable) {
  const TempFolder folder;
  const std::string text = folder.file("text", "one line\nand another\n"), model = folder.path("spm");
  ASSERT_EQ(run_program("ventris-vocab", {"-i", text, "-o", model}).code, 0);
  const std::string input = folder.path("a\033[35m\nb");
  std::filesystem::create_symlink("/dev/stdin", input);
  const Outcome outcome = run_on_terminal("ventris-vocab", {"encode", "-m", model, "-i", input}, {}, "one line\n", 1.5);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("/a\\x1b[35m\\nb, 1 lines"));
  EXPECT_THAT(outcome.err, Not(HasSubstr("\033[35m")));
}

TEST(Terminal, QuietAndADumbTerminalHaveNoProgressLine) {
  const TempFolder folder;
  EXPECT_THAT(learn(folder, {"--quiet"}, {}).err, Not(HasSubstr("reading")));
  EXPECT_THAT(learn(folder, {}, {"TERM=dumb"}).err, Not(HasSubstr("\033")));
}

TEST(Terminal, ErrorsAreRedUnlessSomebodyObjects) {
  EXPECT_THAT(run_on_terminal("ventris-vocab", kWrong).err, StartsWith(kRedName));
  EXPECT_THAT(run_on_terminal("ventris-vocab", kWrong, {"NO_COLOR="}).err, StartsWith(kRedName));
  const auto plain = AllOf(StartsWith("ventris-vocab: "), Not(HasSubstr("\033")));
  EXPECT_THAT(run_on_terminal("ventris-vocab", kWrong, {"NO_COLOR=1"}).err, plain);
  EXPECT_THAT(run_on_terminal("ventris-vocab", kWrong, {"TERM=dumb"}).err, plain);
  EXPECT_THAT(run_on_terminal("ventris-vocab", {"--bogus", "--color", "never"}).err, plain);
}

TEST(Terminal, ColourElsewhereOnlyIfItIsAskedFor) {
  EXPECT_THAT(run_program("ventris-vocab", kWrong).err, StartsWith("ventris-vocab: "));
  EXPECT_THAT(run_program("ventris-vocab", {"--bogus", "--color", "always"}).err, StartsWith(kRedName));
  EXPECT_THAT(run_program("ventris-vocab", {"--color", "alway"}).err,
              HasSubstr("--color: expected one of auto, always, never; got 'alway' (did you mean 'always'?)"));
}

}  // namespace
}  // namespace ventris::test
