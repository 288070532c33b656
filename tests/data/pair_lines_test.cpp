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

const std::string kMemory =
    "<tmx><tu><tuv xml:lang=\"en\"><seg>one</seg></tuv><tuv xml:lang=\"de\"><seg>eins</seg></tuv></tu>"
    "<tu><tuv xml:lang=\"en\"><seg>two</seg></tuv></tu></tmx>";

TEST_F(PairLinesTest, OfATranslationMemoryAreItsUnits) {
  PairLines lines(in_one_file(folder.file("a.tmx", kMemory) + ":de:en"));
  ASSERT_TRUE(lines.next(source, target));
  EXPECT_EQ(source + " " + target, "eins one");
  EXPECT_FALSE(lines.next(source, target));
  ASSERT_NE(lines.memory(), nullptr);
  EXPECT_EQ(lines.memory()->units, 2);
  EXPECT_EQ(PairLines({folder.file("a.tsv", ""), ""}).memory(), nullptr);
}

TEST_F(PairLinesTest, ATranslationMemoryIsNoFileOfOneSide) {
  const std::string memory = folder.file("a.tmx", kMemory), text = folder.file("a.de", "eins\n");
  for (const CorpusFiles& files : {CorpusFiles{memory, text}, CorpusFiles{text, memory}, CorpusFiles{memory, "", true},
                                   CorpusFiles{memory, "", false, true}}) {
    EXPECT_FAILS(PairLines{files}, DataError, "a.tmx: is a translation memory, which has both sides of a corpus");
    EXPECT_FAILS(check_files(files), DataError, "is a translation memory");
  }
  EXPECT_FAILS(check_files({memory, ""}), DataError, "a.tmx:en:de; it has: de, en");
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
