#include "evaluation/alignment_error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::evaluation {
namespace {

using Links = std::set<Link>;

AlignmentScore score(const std::string& found, const std::string& gold) {
  return alignment_score(count_links(parse_alignment(found, "a"), parse_gold_alignment(gold, "b")));
}

TEST(Alignment, LinksAreWrittenAsPharaohDoes) {
  EXPECT_EQ(parse_alignment("0-0 1-2\t10-3 1-2", "a"), (Links{{0, 0}, {1, 2}, {10, 3}}));
  EXPECT_EQ(parse_alignment("", "a"), Links{});
}

TEST(Alignment, PossibleLinksAreWrittenInThreeWays) {
  const GoldAlignment gold = parse_gold_alignment("0-0 1?2 2p3 p4-5", "a");
  EXPECT_EQ(gold.sure, (Links{{0, 0}}));
  EXPECT_EQ(gold.possible, (Links{{0, 0}, {1, 2}, {2, 3}, {4, 5}}));
}

TEST(Alignment, ALinkThatIsSureOnceIsSure) { EXPECT_EQ(parse_gold_alignment("1?1 1-1", "a").sure, (Links{{1, 1}})); }

TEST(Alignment, PrecisionAsksForPossibleRecallForSureLinks) {
  const AlignmentScore found = score("0-0 1-1 2-2 3-3", "0-0 1-1 5-5 2?2");  // A = 4, S = 3, A in S = 2, A in P = 3
  EXPECT_DOUBLE_EQ(found.precision, 3.0 / 4);
  EXPECT_DOUBLE_EQ(found.recall, 2.0 / 3);
  EXPECT_DOUBLE_EQ(found.error_rate, 1 - 5.0 / 7);
}

TEST(Alignment, SureLinksWithAnyPossibleOnesAreNoError) {
  EXPECT_DOUBLE_EQ(score("0-0", "0-0 1?1").error_rate, 0);
  EXPECT_DOUBLE_EQ(score("0-0 1-1", "0-0 1?1").error_rate, 0);
  EXPECT_DOUBLE_EQ(score("3-3", "0-0 1?1").error_rate, 1);
  EXPECT_DOUBLE_EQ(score("", "").error_rate, 0);
  EXPECT_DOUBLE_EQ(score("", "0-0").error_rate, 1);
}

TEST(Alignment, CountsAreSummedBeforeTheyAreScored) {
  const test::TempFolder folder;
  const std::string found = folder.file("found", "0-0\n0-0 1-1\n\n"), gold = folder.file("gold", "0-0\n0-0 2-2\n1?1\n");
  EXPECT_EQ(evaluate_alignments(found, gold, {}, {ReportFormat::kText, 1, false}),
            "AER = 33.3 (precision = 66.7 recall = 66.7 links = 3 sure = 3)\n");
  EXPECT_EQ(evaluate_alignments(found, gold, {}, {ReportFormat::kText, 3, true}), "33.333\n");
  EXPECT_EQ(nlohmann::json::parse(evaluate_alignments(found, gold, {}, {})),
            (nlohmann::json{
                {"name", "AER"}, {"score", 33.3}, {"precision", 66.7}, {"recall", 66.7}, {"links", 3}, {"sure", 3}}));
}

TEST(Alignment, PositionsAreNumbersOfWords) {
  EXPECT_FAILS(parse_alignment("268435457-0", "a"), DataError, "a: expected links like 0-0 1-2");
  EXPECT_FAILS(parse_alignment("1--0", "a"), DataError, "a: expected links like 0-0 1-2");
}

TEST(Alignment, OtherLinesAreRefusedByFileAndLine) {
  for (const char* bad : {"0:0", "1-", "-1-2", "1-2-3", "x", "1--2", "1?2", "99999999999-1"}) {
    EXPECT_FAILS(parse_alignment(bad, "f:7"), DataError,
                 std::string("f:7: expected links like 0-0 1-2, found \"") + bad);
  }
  for (const char* bad : {"1*2", "p1?2", "p", "1p", "?1-2"}) {
    EXPECT_FAILS(parse_gold_alignment(bad, "g:1"), DataError, "g:1: expected sure links like 1-2");
  }
  const test::TempFolder folder;
  const std::string found = folder.file("found", "0-0\n0-x\n"), gold = folder.file("gold", "0-0\n");
  EXPECT_FAILS(evaluate_alignments(found, gold, {}, {}), DataError, "found: has 2 lines, but");
  EXPECT_FAILS(evaluate_alignments(found, folder.file("gold", "0-0\n1-1\n"), {}, {}), DataError,
               "found:2: expected links");
}

/// "0-1 1-0 2-2 ...": each line another permutation, so that no shift and no swap of it fits by chance.
std::string links(int base, bool swap) {
  std::string text;
  for (int line = 0; line < 20; ++line) {
    for (int source = 0; source < 7; ++source) {
      const int from = source + base, to = (source * 3 + line) % 7 + base;
      text += std::to_string(swap ? to : from) + "-" + std::to_string(swap ? from : to) + (source < 6 ? " " : "\n");
    }
  }
  return text;
}

TEST(EvaluateAlignments, BasesAndSidesMayDiffer) {
  const test::TempFolder folder;
  const std::string found = folder.file("found", links(0, false)), gold = folder.file("gold", links(1, true));
  testing::internal::CaptureStderr();
  EXPECT_EQ(evaluate_alignments(found, gold, {.gold_base = 1, .swap_gold = true}, {.width = 1, .score_only = true}),
            "0.0\n");
  EXPECT_EQ(evaluate_alignments(folder.file("found", links(1, false)), folder.file("gold", links(0, false)),
                                {.base = 1}, {.width = 1, .score_only = true}),
            "0.0\n");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_FAILS(evaluate_alignments(found, folder.file("gold", links(0, false)), {.gold_base = 1}, {}), DataError,
               "gold:1: expected positions from 1 (--gold-base), found 0-0");
  EXPECT_FAILS(evaluate_alignments(folder.file("found", links(0, false)), gold, {.base = 1}, {}), DataError,
               "found:1: expected positions from 1 (--alignment-base), found 0-0");
}

TEST(EvaluateAlignments, AByteOrderMarkIsNoPartOfALink) {
  const test::TempFolder folder;
  const std::string found = folder.file("found", "\xEF\xBB\xBF" + links(0, false)),
                    gold = folder.file("gold", "\xEF\xBB\xBF" + links(0, false));
  testing::internal::CaptureStderr();
  EXPECT_EQ(evaluate_alignments(found, gold, {}, {.width = 1, .score_only = true}), "0.0\n");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(EvaluateAlignments, FilesThatNumberWordsDifferentlyAreWarnedAbout) {
  const test::TempFolder folder;
  const std::string found = folder.file("found", links(0, false));
  const auto warning = [&](const std::string& gold, const AlignmentOptions& options = {}) {
    testing::internal::CaptureStderr();
    evaluate_alignments(found, folder.file("gold", gold), options, {});
    return testing::internal::GetCapturedStderr();
  };
  EXPECT_EQ(warning(links(0, false)), "");
  EXPECT_THAT(warning(links(1, false)), testing::HasSubstr("gold: it seems that the gold alignment counts from 1, the "
                                                           "alignment from 0: with --gold-base 1, the error rate "
                                                           "would be 0.0 instead of "));
  EXPECT_THAT(warning(links(0, true)), testing::HasSubstr("has target-source links: with --swap-gold, the error rate"));
  EXPECT_THAT(warning(links(0, false), {.swap_gold = true}),
              testing::HasSubstr("has source-target links: without --swap-gold, the error rate would be 0.0"));
  folder.file("found", links(1, false));
  EXPECT_THAT(warning(links(0, false)), testing::HasSubstr("with --alignment-base 1, the error rate would be 0.0"));
  EXPECT_THAT(warning(links(1, false), {.gold_base = 1}),
              testing::HasSubstr("without --gold-base 1, the error rate would be 0.0"));
  EXPECT_THAT(warning(links(1, false), {.base = 1}),
              testing::HasSubstr("without --alignment-base 1, the error rate would be 0.0"));
}

}  // namespace
}  // namespace ventris::evaluation
