#include "support/terminal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temp_folder.h"
#include "support/toy_corpus.h"

namespace ventris::test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

TEST(VentrisTrainOnATerminal, ShowsHowFarItIsAndWhatIsLeftBetweenItsReports) {
  const TempFolder folder;
  const std::string settings = folder.file("settings.json", kToySettings);
  const ToyCorpus train = write_toy_corpus(folder, "train", 400, 1);
  const auto run = [&](const std::string& name, unsigned short columns) {
    return run_on_terminal(
        "ventris-train",
        {"-c", settings, "--train", train.source, train.target, "-m", folder.path(name), "--after", "0.05m"}, {}, "", 0,
        columns);
  };
  const Outcome outcome = run("narrow", 80), wide = run("wide", 132);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(wide.err, HasSubstr(" of about "));
  EXPECT_THAT(outcome.err, HasSubstr("\r\033[Ktraining ["));
  EXPECT_THAT(outcome.err, HasSubstr(" left, update "));
  EXPECT_THAT(outcome.err, ContainsRegex("left, update [^\r\n]* tokens/s"));  // there is room for the speed
  EXPECT_THAT(outcome.err, HasSubstr("\r\033[K["));  // a report in its place
  EXPECT_THAT(outcome.err, Not(ContainsRegex("left, update [^\r\n]*\\[")));
}

}  // namespace
}  // namespace ventris::test
