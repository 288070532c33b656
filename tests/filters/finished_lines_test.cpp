#include "filters/finished_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "support/errors.h"
#include "support/file_size_limit.h"
#include "support/folder_entries.h"
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

/// Fails with an error after these bytes were written; returns the new error.
template <typename E>
std::string after_error(const std::string& path, const std::string& bytes, int64_t lines) {
  files::OutputFile file(path);
  file.write(bytes);
  try {
    throw E("why");
  } catch (...) {
    try {
      fail_with_finished(file, path, {"line", lines});
    } catch (const E& error) {
      return error.what();
    }
  }
}

TEST(FinishedLines, AnErrorKeepsThemToo) {
  const test::TempFolder folder;
  const std::string path = folder.path("out");
  EXPECT_EQ(after_error<DataError>(path, "one\n", 1), "why; 1 line is finished, in " + path + ".partial");
  EXPECT_EQ(after_error<ModelError>(path, "one\ntwo\n", 2), "why; 2 lines are finished, in " + path + ".partial-2");
  EXPECT_EQ(test::file_bytes(path + ".partial") + test::file_bytes(path + ".partial-2"), "one\none\ntwo\n");
  EXPECT_EQ(after_error<DataError>(path, "", 0), "why");
  EXPECT_EQ(after_error<DataError>(path, "", 3), "why");  // what would be written at the end
  EXPECT_EQ(after_error<DataError>("/dev/null", "one\n", 1), "why");
  EXPECT_THAT(test::entries(folder.path()), testing::ElementsAre("out.partial", "out.partial-2"));
}

TEST(FinishedLines, OfAFullDiskWhatHasReachedTheFileIsKept) {
  const test::TempFolder folder;
  const std::string path = folder.path("out");
  files::OutputFile file(path);
  const test::FileSizeLimit full_disk(100'000);
  try {
    for (int i = 0; i < 100'000; ++i) file.write("line\n");
    FAIL();
  } catch (const WriteError&) {
    EXPECT_FAILS(fail_with_finished(file, path, {"line", 100}), WriteError,
                 "out: cannot be written: File too large; 20000 lines are finished, in " + path + ".partial");
  }
  EXPECT_EQ(test::file_bytes(path + ".partial").size(), 100'000U);
}

TEST(FinishedLines, AnErrorOnAFullDiskStaysTheErrorThatIsReported) {
  const test::TempFolder folder;
  const std::string path = folder.path("out");
  files::OutputFile file(path);
  file.write(std::string(90'000, 'x') + "\n");
  const test::FileSizeLimit full_disk(80'000);
  try {
    fail<DataError>("why");
  } catch (const DataError&) {
    EXPECT_FAILS(fail_with_finished(file, path, {"line", 1}), DataError, "why; 0 lines are finished, in " + path);
  }
}

}  // namespace
}  // namespace ventris::filters
