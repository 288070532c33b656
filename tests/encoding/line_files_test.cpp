#include "encoding/line_files.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::encoding {
namespace {

class LineFilesTest : public testing::Test {
 protected:
  LineOptions options(const std::string& text) const {
    LineOptions made;
    made.input = folder.file("in", text);
    made.output = folder.path("out");
    return made;
  }
  test::TempFolder folder;
};

TEST_F(LineFilesTest, ALineCountsTheBytesThatItHasInTheFile) {
  LineFiles files(options("ab\n\nxyz"));
  LineRequest request;
  ASSERT_TRUE(files.next(request));
  EXPECT_EQ(request.text, "ab");
  EXPECT_EQ(request.bytes, 3);
  ASSERT_TRUE(files.next(request));
  EXPECT_EQ(request.text, "");
  EXPECT_EQ(request.bytes, 1);
  ASSERT_TRUE(files.next(request));
  EXPECT_EQ(request.bytes, 3);
  EXPECT_FALSE(files.next(request));
}

TEST_F(LineFilesTest, TheOutputIsThereOnceItIsComplete) {
  LineFiles files(options("ab\n"));
  files.write("result\n");
  EXPECT_FALSE(std::filesystem::exists(folder.path("out")));
  files.commit();
  EXPECT_EQ(test::file_bytes(folder.path("out")), "result\n");
}

TEST_F(LineFilesTest, WhatIsFinishedIsKeptAfterASignal) {
  LineFiles files(options("ab\n"));
  files.write("result\n");
  files.line_done();
  EXPECT_EQ(files.stopped(2).signal, 2);
  EXPECT_EQ(test::file_bytes(folder.path("out.partial")), "result\n");
  EXPECT_FALSE(std::filesystem::exists(folder.path("out")));
}

TEST_F(LineFilesTest, AnErrorSaysHowManyLinesAreFinished) {
  LineFiles files(options("ab\n"));
  files.write("result\n");
  files.line_done();
  const auto fail_after_an_error = [&] {
    try {
      throw DataError("in:2: wrong");
    } catch (const DataError&) {
      files.fail_with_lines();
    }
  };
  EXPECT_FAILS(fail_after_an_error(), DataError, "in:2: wrong; 1 line is finished, in " + folder.path("out.partial"));
}

TEST_F(LineFilesTest, AnOutputThatIsTheInputIsRefused) {
  LineOptions same = options("ab\n");
  same.output = same.input;
  EXPECT_FAILS(LineFiles{same}, ConfigError, same.input);
  EXPECT_EQ(test::file_bytes(same.input), "ab\n");
  LineOptions missing = options("");
  missing.input = folder.path("none");
  EXPECT_FAILS(LineFiles{missing}, DataError, "none");
}

TEST_F(LineFilesTest, ThreadsAndBatchesMustBePossible) {
  LineOptions wrong = options("");
  EXPECT_NO_THROW(check(wrong));
  wrong.threads = 0;
  EXPECT_FAILS(check(wrong), ConfigError, "--threads: must be from 1 to 1024, got 0");
  wrong.threads = 1;
  wrong.window_lines = 0;
  EXPECT_FAILS(check(wrong), ConfigError, "--maxi-batch: must be from 1 to 100000, got 0");
  wrong.window_lines = 1;
  wrong.batch.tokens = 0;
  EXPECT_FAILS(check(wrong), ConfigError, "--mini-batch-words: must be at least 1, got 0");
  wrong.batch.sentences = 0;
  EXPECT_FAILS(check(wrong), ConfigError, "--mini-batch: must be at least 1, got 0");
}

}  // namespace
}  // namespace ventris::encoding
