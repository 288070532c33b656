#include "core/progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <vector>

namespace ventris::core {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// A progress line on a clock that the test sets.
class ProgressTest : public testing::Test {
 protected:
  void begin(const std::string& unit, double total, size_t wide = 100) {
    progress.emplace(
        "reading", unit, total, [this] { return now; }, [this](std::string_view line) { lines.emplace_back(line); },
        [this] { return columns; });
    columns = wide;
  }

  std::string line_at(double time) {
    now = time;
    lines.clear();
    progress->refresh();
    return lines.empty() ? "nothing" : lines.back();
  }

  double now = 100;
  size_t columns = 100;
  std::vector<std::string> lines;
  std::optional<Progress> progress;
};

TEST_F(ProgressTest, ABarShowsTheShareTheAmountAndTheTimeLeft) {
  begin("lines", 2000);
  now = 110;
  progress->add(500);
  EXPECT_EQ(line_at(110), "reading [======>                 ]  25 %, 0:30 left, 500 of 2,000 lines");
  now = 111;
  progress->add(1500);
  EXPECT_EQ(line_at(111), "reading [========================] 100 %, 0:00 left, 2,000 of 2,000 lines");
}

TEST_F(ProgressTest, WhatWasThereBeforeDoesNotCountForTheTimeLeft) {
  begin("", 1);
  progress->set(0.5);
  EXPECT_EQ(line_at(110), "reading [============>           ]  50 %");
  now = 110.5;
  progress->set(0.6);  // a tenth in 10 seconds
  EXPECT_THAT(line_at(110.5), HasSubstr(" 60 %, 0:42 left"));
}

TEST_F(ProgressTest, TheTimeBeforeTheFirstShareDoesNotCountForTheTimeLeft) {
  begin("", 1);
  now = 130;
  progress->set(30.0 / 180);  // of three minutes, as in a run whose length is in minutes
  now = 133;
  progress->set(33.0 / 180);
  EXPECT_THAT(line_at(133), HasSubstr(", 2:27 left"));
  now = 190;
  progress->set(90.0 / 180);
  EXPECT_THAT(line_at(190), HasSubstr(", 1:30 left"));
}

TEST_F(ProgressTest, TheTimeLeftIsCountedDownUntilMoreIsDone) {
  begin("lines", 100);
  now = 110;
  progress->add(20);
  EXPECT_THAT(line_at(110), HasSubstr("0:40 left"));
  EXPECT_THAT(line_at(130), HasSubstr("0:20 left"));
  EXPECT_THAT(line_at(151), Not(HasSubstr("left"))) << "more should have been done by now";
  progress->add(60);
  EXPECT_THAT(line_at(152), HasSubstr("0:12 left"));
}

TEST_F(ProgressTest, AnUnknownWholeShowsWhatIsDoneAndTheTimeTaken) {
  begin("lines", 0);
  EXPECT_EQ(line_at(102), "| reading, 0:02");
  progress->add(1234);
  EXPECT_EQ(line_at(165.25), "/ reading, 1,234 lines, 1:05");
  progress->phase("learning");
  EXPECT_EQ(line_at(170.5), "- learning, 1:11");
}

TEST_F(ProgressTest, ANoteStandsInPlaceOfTheAmount) {
  begin("", 10);
  now = 102;
  progress->set(0);
  progress->set(1);
  progress->note("update 12 of 120");
  EXPECT_THAT(line_at(102), HasSubstr(" 10 %, 0:18 left, update 12 of 120"));
}

TEST_F(ProgressTest, OnANarrowTerminalTheBarIsShorterAndTheTimeLeftIsSeen) {
  begin("", 10, 80);
  now = 110;
  progress->add(2);
  progress->note("update 150 of 900, epoch 11, loss 3.125, 12345 tokens/s");
  EXPECT_EQ(line_at(110), "reading  20 %, 0:40 left, update 150 of 900, epoch 11, loss 3.125, 12345 tokens/s");
  progress->note("update 150 of 900, epoch 11, loss 3.125, 12345 tokens/s", "loss 3.125, 12345 tokens/s");
  EXPECT_EQ(line_at(111), "reading [==>         ]  20 %, 0:39 left, loss 3.125, 12345 tokens/s");
}

TEST_F(ProgressTest, TheLineFollowsTheWidthOfTheTerminal) {
  begin("", 10, 120);
  now = 110;
  progress->add(2);
  progress->note("update 150 of 900", "update 150");
  EXPECT_EQ(line_at(110), "reading [====>                   ]  20 %, 0:40 left, update 150 of 900");
  columns = 58;
  EXPECT_EQ(line_at(111), "reading [==>         ]  20 %, 0:39 left, update 150");
  columns = 40;
  EXPECT_EQ(line_at(112), "reading  20 %, 0:38 left, update 150");
  columns = 120;
  EXPECT_EQ(line_at(113), "reading [====>                   ]  20 %, 0:37 left, update 150 of 900");
}

TEST_F(ProgressTest, WithoutABarTheShorterNoteIsShownWhereTheOtherDoesNotFit) {
  begin("lines", 0, 40);
  progress->note("1,234 lines, 12 sentences/s, 300 tokens/s", "12 sentences/s");
  EXPECT_EQ(line_at(102), "| reading, 12 sentences/s, 0:02");
}

TEST_F(ProgressTest, WorkOfLessThanASecondShowsNothingAndErasesNothing) {
  begin("lines", 10);
  EXPECT_EQ(line_at(100.9), "nothing");
  progress.reset();
  EXPECT_THAT(lines, IsEmpty());
}

TEST_F(ProgressTest, ALineIsNotDrawnAnewBeforeItsTime) {
  begin("lines", 10);
  EXPECT_NE(line_at(102), "nothing");
  EXPECT_EQ(line_at(102.1), "nothing");
  EXPECT_NE(line_at(102.3), "nothing");
}

TEST_F(ProgressTest, TheLineIsErasedAtTheEnd) {
  begin("lines", 10);
  line_at(102);
  lines.clear();
  progress.reset();
  EXPECT_THAT(lines, ElementsAre(""));
}

TEST(Progress, NothingIsShownWithoutATerminal) {
  const Progress progress("reading");
  EXPECT_FALSE(progress.active());
}

}  // namespace
}  // namespace ventris::core
