#include "text/line_range.h"

#include <gtest/gtest.h>

#include <string>

#include "core/error.h"
#include "support/errors.h"
#include "support/gzip.h"
#include "support/temp_folder.h"
#include "text/line_reader.h"

namespace ventris::text {
namespace {

class LineRangeTest : public testing::Test {
 protected:
  std::string between(const std::string& path, int64_t begin, int64_t end) const {
    LineRange range(path, open_bytes(path), begin, end);
    std::string bytes;
    for (auto block = range.next_block(); !block.empty(); block = range.next_block()) bytes += block;
    EXPECT_TRUE(range.next_block().empty());
    return bytes;
  }

  test::TempFolder folder;
};

TEST_F(LineRangeTest, HasTheseLinesByteForByte) {
  const std::string path = folder.file("in", "a\r\n\n\xff\nd");
  EXPECT_EQ(between(path, 0, 1), "a\r\n");
  EXPECT_EQ(between(path, 1, 3), "\n\xff\n");
  EXPECT_EQ(between(path, 3, 4), "d");
  EXPECT_EQ(between(path, 0, 9), "a\r\n\n\xff\nd");
  EXPECT_EQ(between(path, 2, 2), "");
  EXPECT_EQ(between(path, 7, 9), "") << "there are not so many";
  EXPECT_EQ(between(folder.file("empty", ""), 0, 1), "");
}

TEST_F(LineRangeTest, RangesThatFollowEachOtherAreTheFileAlsoIfItIsPackedAndLargerThanABlock) {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += std::string(static_cast<size_t>(i * 37 % 211), 'a') + std::to_string(i) + "\n";
  for (const std::string& path : {folder.file("in", text), folder.file("in.gz", test::gzipped(text))}) {
    EXPECT_EQ(between(path, 0, 1) + between(path, 1, 1700) + between(path, 1700, 1701) + between(path, 1701, 3000),
              text);
  }
}

TEST_F(LineRangeTest, AFileThatIsNoTextIsRefusedBeforeItsLinesAreSkipped) {
  EXPECT_FAILS(between(folder.file("in", "PK\x03\x04\nb\n"), 1, 2), DataError, "in: ");
}

}  // namespace
}  // namespace ventris::text
