#include "report/charts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "report/run_values.h"
#include "support/small_run.h"

namespace ventris::report {
namespace {

using nlohmann::json;
using testing::HasSubstr;

TEST(Curves, AreThoseThatThereAreFiguresFor) {
  RunData run = test::small_run();
  EXPECT_EQ(curves(run).size(), 8U);  // loss and perplexity twice: their second halves are flat
  std::erase_if(run.metrics, [](const json& line) { return line.at("kind") == "valid"; });
  EXPECT_EQ(curves(run).size(), 7U);
  EXPECT_TRUE(curves(RunData{}).empty());
}

TEST(Curves, ShowTheAccuracyOfAClassifier) {
  RunData run = test::small_run();
  for (json& line : run.metrics) {
    line.erase("bleu");
    line.erase("chrf");
    if (line.at("kind") == "valid") line["accuracy"] = 0.5;
  }
  const auto charts = curves(run);
  EXPECT_EQ(
      std::ranges::count_if(
          charts, [](const std::string& chart) { return chart.find(">Accuracy of the validations<") != chart.npos; }),
      1);
}

TEST(Curves, ShowTrainingAndValidationTogether) {
  const std::string loss = curves(test::small_run()).at(0);
  for (const char* text : {">Loss<", ">training<", ">validation<"}) EXPECT_THAT(loss, HasSubstr(text));
}

TEST(LengthChart, ShowsBothSidesOverTheSameBins) {
  const std::string chart = length_chart(test::small_run().statistics);
  EXPECT_THAT(chart, HasSubstr(">source<"));
  EXPECT_THAT(chart, HasSubstr(">target<"));
  EXPECT_EQ(length_chart(json()), "");
}

TEST(AttentionMaps, ShowLayersAndHeadsAndTheSentence) {
  const AttentionMaps maps = attention_maps(test::small_run().attention);
  ASSERT_EQ(maps.layers.size(), 2U);
  ASSERT_EQ(maps.heads.size(), 2U);
  EXPECT_EQ(maps.source, "two");
  EXPECT_EQ(maps.translation, "zwei");
  EXPECT_THAT(maps.layers[1], HasSubstr(">layer 2<"));
  EXPECT_THAT(maps.heads[1], HasSubstr(">&lt;/s&gt;<"));
  EXPECT_TRUE(attention_maps(json()).layers.empty());
}

TEST(CurvesTogether, HaveEveryRunInEachChart) {
  RunData first = test::small_run(), second = test::small_run();
  first.name = "first";
  second.name = "second";
  for (const std::string& chart : curves_together({first, second})) {
    EXPECT_THAT(chart, HasSubstr(">first<"));
    EXPECT_THAT(chart, HasSubstr(">second<"));
  }
}

TEST(NumberOrNan, IsNoNumberWhereThereIsNone) {
  const json line{{"a", 1.5}, {"b", nullptr}, {"c", "text"}};
  EXPECT_EQ(number_or_nan(line, "a"), 1.5);
  for (const char* key : {"b", "c", "d"}) EXPECT_TRUE(std::isnan(number_or_nan(line, key))) << key;
}

}  // namespace
}  // namespace ventris::report
