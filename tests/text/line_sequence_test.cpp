#include "text/line_sequence.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <thread>

#include "core/error.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::text {
namespace {

using Lines = std::vector<std::string>;

Lines all_of(LineSequence& sequence) {
  Lines lines;
  for (std::string line; sequence.next(line);) lines.push_back(line);
  return lines;
}

class LineSequenceTest : public testing::Test {
 protected:
  const test::TempFolder folder;
  const std::string first = folder.file("first", "a\nb"), second = folder.file("second", "c\n");
};

TEST_F(LineSequenceTest, FilesFollowOneAnotherAndAreShownAtTheirEnds) {
  Lines ended;
  LineSequence sequence({first, folder.file("empty", ""), second}, {},
                        [&](const LineReader& reader) { ended.push_back(reader.path()); });
  EXPECT_FALSE(sequence.finished());
  EXPECT_EQ(all_of(sequence), (Lines{"a", "b", "c"}));
  EXPECT_EQ(sequence.lines(), 3);
  EXPECT_TRUE(sequence.finished());
  EXPECT_EQ(ended, (Lines{first, folder.path("empty"), second}));
}

TEST_F(LineSequenceTest, NoFilesAreNoLines) {
  LineSequence sequence({});
  EXPECT_EQ(all_of(sequence), Lines{});
}

TEST_F(LineSequenceTest, AFileThatCannotBeReadIsNamedBeforeTheFirstLine) {
  EXPECT_FAILS(LineSequence({first, folder.path("none")}), DataError, "none: cannot be read: No such file");
  EXPECT_FAILS(LineSequence({folder.path()}), DataError, "is a folder, expected a file");
}

TEST_F(LineSequenceTest, ANamedPipeIsOpenedOnlyOnce) {
  const std::string pipe = folder.path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(pipe) << "x\ny\n"; });
  LineSequence sequence({first, pipe});
  EXPECT_EQ(all_of(sequence), (Lines{"a", "b", "x", "y"}));
  writer.join();
}

TEST_F(LineSequenceTest, AHundredthOfBadLinesIsProbablyAnotherEncoding) {
  EXPECT_FALSE(is_other_encoding({.lines = 0}));
  EXPECT_FALSE(is_other_encoding({.lines = 1000}));
  EXPECT_FALSE(is_other_encoding({.lines = 1001, .invalid_utf8 = 10}));
  EXPECT_TRUE(is_other_encoding({.lines = 1000, .invalid_utf8 = 10}));
  EXPECT_FALSE(is_other_encoding({.lines = 2, .invalid_utf8 = 2}));
  LineReader reader(folder.file("cp1252",
                                "gr\xFC\xDF\nb\xF6se\nm\xFC"
                                "de\n"));
  for (std::string line; reader.next(line);) continue;
  EXPECT_EQ(complaints(reader),
            Lines{folder.path("cp1252") +
                  ": 3 of 3 lines are not valid UTF-8 (the first is line 1); bad bytes became U+FFFD; this is 100 % OF "
                  "ALL LINES: the file is probably in another encoding, such as Windows-1252; convert it first, for "
                  "example with: iconv -f WINDOWS-1252 -t UTF-8 FILE > NEW-FILE"});
}

TEST_F(LineSequenceTest, ComplaintsNameTheFileAndTheFirstBadLine) {
  LineReader reader(folder.file("bad", "abcd\nabcde\n\xff\n"), {.max_bytes = 4});
  EXPECT_EQ(complaints(reader), Lines{});
  for (std::string line; reader.next(line);) continue;
  const std::string name = folder.path("bad");
  EXPECT_EQ(complaints(reader),
            (Lines{name + ": 1 of 3 lines are not valid UTF-8 (the first is line 3); bad bytes became U+FFFD",
                   name + ": 1 of 3 lines are over 4 bytes (the first is line 2) and were cut"}));
}

}  // namespace
}  // namespace ventris::text
