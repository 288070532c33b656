#include "filters/finished_lines.h"

#include <gtest/gtest.h>

#include <csignal>

#include "support/temp_folder.h"

namespace ventris::filters {
namespace {

TEST(FinishedLines, TheMessageSaysHowManyThereAreAndWhere) {
  const test::TempFolder folder;
  const std::string path = folder.path("out");
  files::OutputFile file(path);
  file.write("one\ntwo\n");
  const Interrupted stop = keep_finished(file, path, {"line", 2}, SIGTERM);
  EXPECT_EQ(stop.signal, SIGTERM);
  EXPECT_EQ(stop.what(),
            path + ": not written: stopped by a signal after line 2; what was finished is in " + path + ".partial");
  EXPECT_EQ(test::file_bytes(path + ".partial"), "one\ntwo\n");
}

TEST(FinishedLines, WhatIsOutAlreadyIsOnlyCounted) {
  files::OutputFile standard("-");
  EXPECT_STREQ(keep_finished(standard, "-", {"line", 3}, SIGINT).what(), "stopped by a signal after line 3");
  files::OutputFile device("/dev/null");
  device.write("text");
  EXPECT_STREQ(keep_finished(device, "/dev/null", {"pair", 1}, SIGINT).what(),
               "/dev/null: stopped by a signal after pair 1");
}

}  // namespace
}  // namespace ventris::filters
