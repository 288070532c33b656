#include "core/log.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::core {
namespace {

using testing::HasSubstr;
using testing::Not;

class LogTest : public testing::Test {
 protected:
  void TearDown() override { set_log_level("info"); }
};

TEST_F(LogTest, LinesGoToStderrAndNothingToStdout) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  log_info("hello {not a format}");
  log_warning("careful");
  const std::string err = testing::internal::GetCapturedStderr();
  EXPECT_THAT(err, HasSubstr("hello {not a format}\n"));
  EXPECT_THAT(err, HasSubstr("warning"));
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

TEST_F(LogTest, LowerLevelsAreSilent) {
  testing::internal::CaptureStderr();
  set_log_level("warning");
  log_info("quiet");
  log_error("loud");
  set_log_level("off");
  log_error("nothing");
  const std::string err = testing::internal::GetCapturedStderr();
  EXPECT_THAT(err, Not(HasSubstr("quiet")));
  EXPECT_THAT(err, HasSubstr("loud"));
  EXPECT_THAT(err, Not(HasSubstr("nothing")));
}

TEST_F(LogTest, AnUnknownLevelIsRefused) {
  for (const std::string name : {"verbose", "", "Info", "trace", "warn", "err", "critical"}) {
    EXPECT_FAILS(set_log_level(name), ConfigError, "expected debug, info, warning, error or off, got '" + name + "'");
  }
}

TEST_F(LogTest, AMistypedLevelGetsASuggestion) {
  EXPECT_FAILS(set_log_level("debgu"), ConfigError, "got 'debgu' (did you mean 'debug'?)");
}

TEST_F(LogTest, AFileGetsTheSameLinesWhileItIsOpen) {
  const test::TempFolder folder;
  testing::internal::CaptureStderr();
  {
    const LogFile file(folder.path("train.log"));
    log_info("in both");
  }
  log_info("after it");
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("in both"));
  const std::string kept = test::file_bytes(folder.path("train.log"));
  EXPECT_THAT(kept, HasSubstr("in both\n"));
  EXPECT_THAT(kept, Not(HasSubstr("after it")));
  EXPECT_FAILS(LogFile("/dev/null/x"), WriteError, "/dev/null/x: cannot open the log file");
}

TEST_F(LogTest, AFileGetsWhatAQuietTerminalDoesNot) {
  const test::TempFolder folder;
  testing::internal::CaptureStderr();
  for (const char* level : {"warning", "error", "off"}) {
    set_log_level(level);
    const LogFile file(folder.path("train.log"));
    log_info(std::string("despite ") + level);
    log_debug("not this");
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  const std::string kept = test::file_bytes(folder.path("train.log"));
  for (const char* level : {"warning", "error", "off"}) EXPECT_THAT(kept, HasSubstr(std::string("despite ") + level));
  EXPECT_THAT(kept, Not(HasSubstr("not this")));
}

TEST_F(LogTest, AFileHasDetailsIfTheTerminalHasThem) {
  const test::TempFolder folder;
  testing::internal::CaptureStderr();
  set_log_level("debug");
  const LogFile file(folder.path("train.log"));
  log_debug("a detail");
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("a detail"));
  EXPECT_THAT(test::file_bytes(folder.path("train.log")), HasSubstr("debug a detail\n"));
}

TEST_F(LogTest, WhyAProgramEndsIsNotedInTheFileAlone) {
  const test::TempFolder folder;
  testing::internal::CaptureStderr();
  const LogFile file(folder.path("train.log"));
  file.note("stopped\nby a signal");
  file.note_error("out of memory");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  const std::string kept = test::file_bytes(folder.path("train.log"));
  EXPECT_THAT(kept, HasSubstr("] info stopped\\nby a signal\n"));
  EXPECT_THAT(kept, HasSubstr("] error out of memory\n"));
}

TEST_F(LogTest, WhateverIsLoggedIsOnePrintableLine) {
  const test::TempFolder folder;
  testing::internal::CaptureStderr();
  const LogFile file(folder.path("train.log"));
  log_warning("a\x1b[2J\nb\xff: grün");
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("] warning a\\x1b[2J\\nb\\xff: grün\n"));
  EXPECT_THAT(test::file_bytes(folder.path("train.log")), HasSubstr("a\\x1b[2J\\nb\\xff: grün\n"));
}

TEST_F(LogTest, WithoutATerminalWordsAreColouredOnlyIfItIsAskedFor) {
  testing::internal::CaptureStderr();
  log_warning("plain");
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("] warning plain\n"));
  EXPECT_EQ(as_error("tool:"), "tool:");
  set_coloring(Coloring::kAlways);
  testing::internal::CaptureStderr();
  log_warning("coloured");
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("\033[33m\033[1mwarning\033[m coloured\n"));
  EXPECT_EQ(as_error("tool:"), "\033[31mtool:\033[m");
  set_coloring(Coloring::kAuto);
  EXPECT_EQ(as_error("tool:"), "tool:");
}

TEST_F(LogTest, NoProgressWithoutATerminal) {
  testing::internal::CaptureStderr();
  show_progress("50 %");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace ventris::core
