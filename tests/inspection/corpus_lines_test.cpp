#include "inspection/corpus_lines.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::inspection {
namespace {

TEST(CorpusLines, BothFilesAreReadToTheEndOfTheLonger) {
  const test::TempFolder folder;
  CorpusLines lines({folder.file("a", "1\n2\n"), folder.file("b", "eins\n")});
  CorpusLine line;
  ASSERT_TRUE(lines.next(line));
  EXPECT_TRUE(line.has_source && line.has_target);
  ASSERT_TRUE(lines.next(line));
  EXPECT_EQ(line.number, 2);
  EXPECT_TRUE(line.has_source);
  EXPECT_FALSE(line.has_target);
  EXPECT_FALSE(lines.next(line));
}

TEST(CorpusLines, ATranslationMemoryHasTwoColumns) {
  const test::TempFolder folder;
  const std::string memory = folder.file(
      "a.tmx", "<tmx><tu><tuv xml:lang=\"en\"><seg>a</seg></tuv><tuv xml:lang=\"de\"><seg>b</seg></tuv></tu></tmx>");
  CorpusLines lines({memory + ":de:en", "", true});
  CorpusLine line;
  ASSERT_TRUE(lines.next(line));
  EXPECT_EQ(line.source + " " + line.target, "b a");
  EXPECT_FALSE(lines.next(line));
}

TEST(CorpusLines, RowsWithoutTwoColumnsBelongToNoSide) {
  const test::TempFolder folder;
  CorpusLines lines({folder.file("tsv", "a\tb\nc\nd\te\tf\n\t\n\n"), "", true});
  CorpusLine line;
  ASSERT_TRUE(lines.next(line));
  EXPECT_EQ(line.source + "|" + line.target, "a|b");
  for (int row = 2; row <= 3; ++row) {
    ASSERT_TRUE(lines.next(line));
    EXPECT_FALSE(line.has_source || line.has_target);
  }
  for (int row = 4; row <= 5; ++row) {  // a blank row is a blank pair
    ASSERT_TRUE(lines.next(line));
    EXPECT_TRUE(line.has_source && line.has_target);
    EXPECT_EQ(line.source + line.target, "");
  }
  EXPECT_EQ(lines.bad_rows().count, 2);
  EXPECT_EQ(lines.bad_rows().first, 2);
}

TEST(CorpusLines, ARowThatIsCutIsBlankAndNoBadRow) {
  const test::TempFolder folder;
  CorpusLines lines({folder.file("tsv", "a\tb\n" + std::string(size_t{2} << 20, 'c') + "\td\ne\tf\n"), "", true});
  CorpusLine line;
  std::string all;
  while (lines.next(line)) all += line.source + "|" + line.target + " ";
  EXPECT_EQ(all, "a|b | e|f ");
  EXPECT_EQ(lines.bad_rows().count, 0);
  EXPECT_EQ(lines.source().too_long, 1);
}

TEST(CorpusLines, ATranslationMemoryIsNoSideOfACorpus) {
  test::TempFolder folder;
  const std::string path = folder.file("a.tmx", "<tmx></tmx>");
  EXPECT_FAILS(CorpusLines({path, path}), DataError,
               "a.tmx: is a translation memory; give it with --tsv, with its languages");
}

}  // namespace
}  // namespace ventris::inspection
