#include "filters/moses.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/errors.h"

namespace ventris::filters {
namespace {

TEST(MosesLine, FieldsStandBetweenBars) {
  const auto line = MosesLine::parse("12 ||| Guten Tag . ||| F0= -1.5 ||| -0.5", "list:1");
  EXPECT_EQ(line.id, 12);
  EXPECT_EQ(line.text(), "Guten Tag .");
  EXPECT_EQ(line.to_text(), "12 ||| Guten Tag . ||| F0= -1.5 ||| -0.5");
  EXPECT_EQ(MosesLine::parse("0 |||  ||| F0= 0 ||| 0", "list:1").text(), "");
  EXPECT_EQ(MosesLine::parse("0 ||| Hallo", "list:1").text(), "Hallo");
}

TEST(MosesLine, LinesWithoutIdOrTextAreNamed) {
  for (const char* line : {"", "Guten Tag", "x ||| Guten Tag", "-1 ||| Guten Tag", "1.5 ||| Hallo", "||| Hallo", "7"}) {
    EXPECT_FAILS(MosesLine::parse(line, "list:3"), DataError, "list:3: expected ID ||| text ||| ...");
  }
}

TEST(MosesLine, AFeatureJoinsTheOthers) {
  const auto with = [](const std::string& text) {
    auto line = MosesLine::parse(text, "list:1");
    line.add_feature("Score", "-2.5");
    return line.to_text();
  };
  EXPECT_EQ(with("0 ||| a = b ||| F0= -1 LM= -2 ||| -0.5"), "0 ||| a = b ||| F0= -1 LM= -2 Score= -2.5 ||| -0.5");
  EXPECT_EQ(with("0 ||| a ||| 0-0 ||| F0= -1"), "0 ||| a ||| 0-0 ||| F0= -1 Score= -2.5");
  EXPECT_EQ(with("0 ||| a = b"), "0 ||| a = b ||| Score= -2.5");
  EXPECT_EQ(with("0 ||| a ||| -0.5"), "0 ||| a ||| Score= -2.5 ||| -0.5");
  // The log-probabilities of tokens are no features.
  EXPECT_EQ(with("0 ||| a ||| WordScores= -1 -2"), "0 ||| a ||| WordScores= -1 -2 ||| Score= -2.5");
  EXPECT_EQ(with("0 ||| a ||| 0-0 ||| WordScores= ||| -0.5"),
            "0 ||| a ||| 0-0 ||| WordScores= ||| Score= -2.5 ||| -0.5");
  EXPECT_EQ(with("0 ||| a ||| F0= -1 ||| WordScores= -1"), "0 ||| a ||| F0= -1 Score= -2.5 ||| WordScores= -1");
  EXPECT_EQ(with("0 ||| a ||| WordScores= -1 ||| F0= -1"), "0 ||| a ||| WordScores= -1 ||| F0= -1 Score= -2.5");
}

TEST(ParseFeatures, ValuesFollowTheirNames) {
  EXPECT_EQ(parse_features("LM0= -1.2 TM0= -3 1e-2").value(), (Features{{"LM0", {-1.2}}, {"TM0", {-3, 0.01}}}));
  EXPECT_EQ(parse_features("\n A=1 B= 2\t").value(), (Features{{"A", {1}}, {"B", {2}}}));
  EXPECT_EQ(parse_features("").value(), Features{});
  for (const char* text : {"1", "A=", "A= x", "A= B= 1", "A= 1 A= 2", "= 1", "A= nan", "A= inf", "A= 1,2"}) {
    EXPECT_FALSE(parse_features(text)) << text;
  }
}

TEST(MosesLine, WeightedFeaturesAddUp) {
  const auto line = MosesLine::parse("0 ||| a ||| LM0= -1 TM0= -3 -4 ||| WordScores= -1 -2 ||| -0.5", "list:1");
  EXPECT_DOUBLE_EQ(line.weighted({{"LM0", {0.5}}, {"TM0", {1, 2}}, {"Score", {9}}}, "Score", "list:1"), -11.5);
  EXPECT_FAILS(line.weighted({{"LM0", {1, 1}}}, "", "list:7"), DataError,
               "list:7: expected 2 values of the feature LM0, as --feature-weights has, in the form LM0= -1.2, got 1");
  EXPECT_FAILS(line.weighted({{"LM1", {1}}}, "", "list:7"), DataError, "expected 1 value of the feature LM1");
  EXPECT_FAILS(MosesLine::parse("0 ||| a ||| LM0= x", "").weighted({{"LM0", {1}}}, "", "list:7"), DataError,
               "list:7: expected 1 value of the feature LM0, as --feature-weights has, in the form LM0= -1.2, got 0");
  EXPECT_DOUBLE_EQ(MosesLine::parse("0 ||| a ||| x=y ||| w_a~=b= 1 LM0= +2", "").weighted({{"LM0", {3}}}, "", ""), 6);
}

TEST(MosesLine, AnAddedFeatureIsOneOfTheNextRun) {
  for (const char* text : {"0 ||| a ||| WordScores= -1 -2", "0 ||| a ||| WordScores=", "0 ||| a ||| 0-0 ||| -0.5",
                           "0 ||| a ||| F0= -1 ||| WordScores= -1"}) {
    auto line = MosesLine::parse(text, "list:1");
    line.add_feature("Score", "-2.5");
    const auto again = MosesLine::parse(line.to_text(), "list:1");
    EXPECT_DOUBLE_EQ(again.weighted({{"Score", {2}}}, "", "list:1"), -5) << text;
  }
  // Earlier versions have added it behind the log-probabilities of tokens.
  const auto old = MosesLine::parse("0 ||| a ||| WordScores= -1 -2 Score= -40 LM=-3 ||| -0.5", "list:1");
  EXPECT_DOUBLE_EQ(old.weighted({{"Score", {2}}, {"LM", {1}}}, "", "list:1"), -83);
  EXPECT_DOUBLE_EQ(MosesLine::parse("0 ||| a ||| WordScores= Score= -40", "").weighted({{"Score", {1}}}, "", ""), -40);
}

TEST(MosesLine, TheTotalIsTheLastField) {
  const auto with = [](const std::string& text) {
    auto line = MosesLine::parse(text, "list:1");
    line.set_total("-9");
    return line.to_text();
  };
  EXPECT_EQ(with("0 ||| a ||| F= 1 ||| -0.5"), "0 ||| a ||| F= 1 ||| -9");
  EXPECT_EQ(with("0 ||| a ||| F= 1"), "0 ||| a ||| F= 1 ||| -9");
  EXPECT_EQ(with("0 ||| 7"), "0 ||| 7 ||| -9");
  EXPECT_EQ(with("0 ||| a ||| F= 1 ||| -0.5 ||| 0-0 1-1"), "0 ||| a ||| F= 1 ||| -9 ||| 0-0 1-1");
  EXPECT_EQ(with("0 ||| a ||| F= 1 ||| 0-0 1-1"), "0 ||| a ||| F= 1 ||| -9 ||| 0-0 1-1");
}

TEST(FormatWordScores, HasANumberForEachToken) {
  EXPECT_EQ(format_word_scores({-0.5F, -2}), "WordScores= -0.500000 -2.000000");
  EXPECT_EQ(format_word_scores({}), "WordScores=");
}

}  // namespace
}  // namespace ventris::filters
