#include "inspection/corpus_statistics.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/errors.h"
#include "support/gzip.h"
#include "support/temp_folder.h"
#include "support/tiny_text.h"

namespace ventris::inspection {
namespace {

using testing::HasSubstr;

class CorpusStatisticsTest : public testing::Test {
 protected:
  CorpusStatistics survey(const std::string& source, const std::string& target, const SurveyOptions& options = {}) {
    return survey_corpus({folder.file("a.en", source), folder.file("a.de", target)}, options);
  }

  const test::TempFolder folder;
};

TEST_F(CorpusStatisticsTest, EachOddityIsCountedAndItsFirstLineNamed) {
  const CorpusStatistics all = survey("a b c\n\nsame\na b c\nbad \xff\n", "x\n \nsame\nx\ny\n");
  EXPECT_EQ(all.problem, "");
  EXPECT_EQ(all.source.characters.lines(), 5);
  EXPECT_EQ(all.source.blank.count, 1);
  EXPECT_EQ(all.source.blank.first, 2);
  EXPECT_EQ(all.source.invalid_utf8.count, 1);
  EXPECT_EQ(all.source.invalid_utf8.first, 5);
  EXPECT_EQ(all.source.duplicates, 1);
  EXPECT_EQ(all.source.words.total(), 9);
  EXPECT_EQ(all.target->duplicates, 1);
  EXPECT_EQ(all.pairs->pairs, 5);
  EXPECT_EQ(all.pairs->duplicates, 1);
  EXPECT_EQ(all.pairs->identical.count, 1);
  EXPECT_EQ(all.pairs->identical.first, 3);
  EXPECT_EQ(all.pairs->one_blank.count, 0);
  EXPECT_FALSE(all.source.has_tokens());
}

TEST_F(CorpusStatisticsTest, LengthRatiosAreTargetToSource) {
  const CorpusStatistics all = survey("a b\na b\na\n\n", "a b c d\na b c d\n1 2 3 4 5 6 7 8 9 10 11\nx\n");
  ASSERT_EQ(all.pairs->ratios.size(), 5U);
  EXPECT_NEAR(all.pairs->ratios[2], 2.0, 0.02);
  EXPECT_NEAR(all.pairs->ratios[4], 11.0, 0.1);
  EXPECT_EQ(all.pairs->uneven.count, 1);
  EXPECT_EQ(all.pairs->uneven.first, 3);
  EXPECT_EQ(all.pairs->one_blank.first, 4);
}

TEST_F(CorpusStatisticsTest, TokensAndUnknownOnesAreCountedWithATokenizer) {
  SurveyOptions options;
  options.source_tokenizer = options.target_tokenizer = test::tiny_tokenizer(text::TokenizerKind::kUnigram);
  const CorpusStatistics one = survey("My sister likes bread.\nMy \u4e00 \u4e01\n", "bread\nbread\n", options);
  EXPECT_EQ(one.source.unknown, 2);
  EXPECT_EQ(one.source.with_unknown.count, 1);
  EXPECT_EQ(one.source.with_unknown.first, 2);
  EXPECT_EQ(one.source.pieces, options.source_tokenizer->size());
  EXPECT_EQ(one.target->tokens.total(), 2 * static_cast<int64_t>(options.target_tokenizer->encode("bread").size()));
  EXPECT_GT(one.target->pieces_used, 0);
  options.threads = 3;
  EXPECT_EQ(survey("My sister likes bread.\nMy \u4e00 \u4e01\n", "bread\nbread\n", options).source.tokens.total(),
            one.source.tokens.total());
}

TEST_F(CorpusStatisticsTest, ATestSetIsLookedForOnBothSides) {
  SurveyOptions options;
  options.overlap = CorpusPaths{folder.file("t.en", "a\nb\nc\n\n"), folder.file("t.de", "1\n2\nnew\n\n")};
  const CorpusStatistics all = survey("x\na\nb\nb\n\n", "9\n1\n7\n2\n\n", options);
  ASSERT_TRUE(all.overlap);
  EXPECT_EQ(all.overlap->lines, 4);
  EXPECT_EQ(all.overlap->source, 2);  // a blank line is no find
  EXPECT_EQ(all.overlap->target, 2);
  EXPECT_EQ(all.overlap->pair, 2);
  EXPECT_EQ(all.overlap->in_corpus.count, 3);
  EXPECT_EQ(all.overlap->in_corpus.first, 2);
}

TEST_F(CorpusStatisticsTest, OneTextAndColumnsOfATableAreCorporaToo) {
  const CorpusStatistics text = survey_corpus({folder.file("t.gz", test::gzipped("a\nb\n")), ""}, {});
  EXPECT_EQ(text.source.characters.lines(), 2);
  EXPECT_FALSE(text.target || text.pairs);
  const CorpusStatistics table = survey_corpus({folder.file("t.tsv", "a b\tc\nd\te\n"), "", true}, {});
  EXPECT_EQ(table.source.words.total(), 3);
  EXPECT_EQ(table.target->words.total(), 2);
}

TEST_F(CorpusStatisticsTest, WhatTrainingWouldRefuseIsAProblem) {
  EXPECT_THAT(survey("a\nb\n", "c\n").problem, HasSubstr("line counts differ: "));
  EXPECT_THAT(survey("a\nb\n", "c\n").problem, HasSubstr("a.en has 2, "));
  EXPECT_THAT(survey("", "").problem, HasSubstr("a.en: is empty; expected one sentence per line"));
  EXPECT_THAT(survey_corpus({folder.file("t.tsv", "a\tb\nc\n"), "", true}, {}).problem,
              HasSubstr("t.tsv:2: expected 2 columns separated by a TAB; rows without them: 1"));
}

TEST_F(CorpusStatisticsTest, PairsOfWhichOneSideIsAlwaysBlankAreAProblem) {
  EXPECT_THAT(survey("a\n \n", "\nb\n").problem, HasSubstr("in every pair, at least one side is blank"));
}

TEST_F(CorpusStatisticsTest, ATestSetThatIsNoneIsRefused) {
  SurveyOptions options;
  options.overlap = CorpusPaths{folder.file("t.en", "a\nb\n"), folder.file("t.de", "1\n")};
  EXPECT_FAILS(survey("a\n", "b\n", options), DataError, "--overlap: line counts differ: ");
  options.overlap = CorpusPaths{folder.file("t.en", ""), folder.file("t.de", "")};
  EXPECT_FAILS(survey("a\n", "b\n", options), DataError, "t.en: is empty; expected one sentence per line");
}

TEST_F(CorpusStatisticsTest, WhatCannotBeReadOrComparedIsRefused) {
  EXPECT_FAILS(survey_corpus({folder.path("none"), ""}, {}), DataError, "none: cannot be read");
  EXPECT_FAILS(survey_corpus({"-", "-"}, {}), ConfigError, "standard input can be only one of the files");
  SurveyOptions options;
  options.overlap = CorpusPaths{"t.en", ""};
  EXPECT_FAILS(survey("a\n", "b\n", options), ConfigError,
               "--overlap: expected the same number of files as for the corpus: source and target");
}

}  // namespace
}  // namespace ventris::inspection
