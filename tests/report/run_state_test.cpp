#include "report/run_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/small_run.h"
#include "support/temp_folder.h"

namespace ventris::report {
namespace {

class RunStateTest : public testing::Test {
 protected:
  RunStateTest() { test::write_small_run(folder.path("run")); }

  RunData after(RunState state, const std::string& reason = "") const {
    write_state(folder.path("run/report"), state, reason);
    return read_run(folder.path("run"));
  }

  test::TempFolder folder;
};

TEST_F(RunStateTest, IsReadAsItWasWritten) {
  EXPECT_EQ(state_word(after(RunState::kRunning)), "running");
  EXPECT_EQ(state_word(after(RunState::kFinished)), "finished");
  EXPECT_EQ(state_word(after(RunState::kStopped, "why")), "stopped");
  EXPECT_EQ(state_word(after(RunState::kFailed, "why")), "failed");
}

TEST_F(RunStateTest, HasASentenceWithItsTimeAndReason) {
  const std::string time = R"([0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2} UTC)";
  EXPECT_THAT(state_sentence(after(RunState::kFinished)), testing::MatchesRegex("Finished at " + time + "\\."));
  EXPECT_THAT(state_sentence(after(RunState::kStopped, "stopped by signal 1")),
              testing::MatchesRegex("Stopped at " + time + ": stopped by signal 1\\."));
  EXPECT_THAT(state_sentence(after(RunState::kFailed, "disk full")),
              testing::MatchesRegex("Ended with an error at " + time + ": disk full\\."));
}

TEST_F(RunStateTest, ARunThatWasKilledWasRunningAtItsNewestLine) {
  RunData run = after(RunState::kRunning);
  run.last_line = "2026-05-01 12:00 UTC";
  EXPECT_EQ(state_sentence(run), "Running when last written at 2026-05-01 12:00 UTC.");
}

TEST_F(RunStateTest, IsUnknownForOlderRunsAndDamagedFiles) {
  RunData run = read_run(folder.path("run"));
  EXPECT_EQ(state_word(run), "");
  EXPECT_EQ(state_sentence(run), "");
  run.state = {{"state", 5}};
  EXPECT_EQ(state_word(run), "");
  run.state = {{"state", "sleeping"}};
  EXPECT_EQ(state_sentence(run), "");
}

}  // namespace
}  // namespace ventris::report
