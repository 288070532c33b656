#include "data/pair_lines.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::data {
namespace {

class PairLinesTest : public testing::Test {
 protected:
  test::TempFolder folder;
  std::string source, target;
};

TEST_F(PairLinesTest, OfTwoFilesEndWithTheShorterOne) {
  PairLines lines({folder.file("a.en", "one\ntwo\nthree\n"), folder.file("a.de", "eins\nzwei\n")});
  ASSERT_TRUE(lines.next(source, target));
  EXPECT_EQ(source + " " + target, "one eins");
  ASSERT_TRUE(lines.next(source, target));
  EXPECT_EQ(source + " " + target, "two zwei");
  EXPECT_FALSE(lines.next(source, target));
}

TEST_F(PairLinesTest, OfOneFileAreItsColumns) {
  PairLines lines({folder.file("a.tsv", "one\teins\n\tempty\n"), ""});
  ASSERT_TRUE(lines.next(source, target));
  EXPECT_EQ(source + " " + target, "one eins");
  ASSERT_TRUE(lines.next(source, target));
  EXPECT_EQ(source, "");
  EXPECT_EQ(target, "empty");
}

TEST_F(PairLinesTest, ABlankRowIsABlankPair) {
  PairLines lines({folder.file("a.tsv", "one\teins\n\n \ntwo\tzwei\n"), ""});
  for (const char* pair : {"one eins", " ", " ", "two zwei"}) {
    ASSERT_TRUE(lines.next(source, target));
    EXPECT_EQ(source + " " + target, pair);
  }
}

TEST_F(PairLinesTest, ARowWithoutTwoColumnsIsRefusedWithItsLine) {
  PairLines lines({folder.file("a.tsv", "one\teins\ntwo\n"), ""});
  lines.next(source, target);
  EXPECT_FAILS(lines.next(source, target), DataError, "a.tsv:2: ");
}

TEST_F(PairLinesTest, SayWhichPairsWereCutOrHadInvalidBytes) {
  PairLines lines({folder.file("a.en", "good\nbad \xff\n" + std::string(3 << 20, 'x') + "\n"),
                   folder.file("a.de", "gut\nschlecht\nlang\n")});
  ASSERT_TRUE(lines.next(source, target));
  EXPECT_FALSE(lines.replaced() || lines.cut());
  ASSERT_TRUE(lines.next(source, target));
  EXPECT_TRUE(lines.replaced());
  EXPECT_FALSE(lines.cut());
  ASSERT_TRUE(lines.next(source, target));
  EXPECT_TRUE(lines.cut());
  EXPECT_TRUE(lines.has_text());
  EXPECT_EQ(target, "lang");
  EXPECT_FALSE(lines.replaced());
}

TEST_F(PairLinesTest, ACutRowHasNoText) {
  PairLines lines({folder.file("a.tsv", std::string(3 << 20, 'x') + "\ty\none\teins\n"), ""});
  ASSERT_TRUE(lines.next(source, target));
  EXPECT_TRUE(lines.cut());
  EXPECT_FALSE(lines.has_text());
  EXPECT_EQ(source + target, "");
  ASSERT_TRUE(lines.next(source, target));
  EXPECT_TRUE(lines.has_text());
  EXPECT_EQ(source + target, "oneeins");
}

}  // namespace
}  // namespace ventris::data
