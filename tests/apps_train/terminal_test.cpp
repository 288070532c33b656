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
  const Outcome outcome = run_on_terminal("ventris-train", {"-c", settings, "--train", train.source, train.target, "-m",
                                                            folder.path("run"), "--after", "0.05m"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("\r\033[Ktraining ["));
  EXPECT_THAT(outcome.err, HasSubstr(" left, update "));
  EXPECT_THAT(outcome.err, HasSubstr(" of about "));
  EXPECT_THAT(outcome.err, HasSubstr("\r\033[K["));  // a report in its place
  EXPECT_THAT(outcome.err, Not(ContainsRegex("left, update [^\r\n]*\\[")));
}

}  // namespace
}  // namespace ventris::test
