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
}

TEST(FormatWordScores, HasANumberForEachToken) {
  EXPECT_EQ(format_word_scores({-0.5F, -2}), "WordScores= -0.500000 -2.000000");
  EXPECT_EQ(format_word_scores({}), "WordScores=");
}

}  // namespace
}  // namespace ventris::filters
