#include "report/charts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

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

/// The chart with this title; empty if there is none.
std::string chart_called(const std::string& title, const std::vector<std::string>& charts) {
  const auto found = std::ranges::find_if(charts, [&](const std::string& chart) {
    return chart.find("<title>" + title + "</title>") != std::string::npos;
  });
  return found == charts.end() ? "" : *found;
}

TEST(Curves, FlatEndsHaveAChartOfTheirOwnAndWideRangesALogarithmicAxis) {
  RunData run = test::small_run();
  const auto flat = curves(run);
  EXPECT_NE(chart_called("Loss, second half", flat), "");
  const std::string half = chart_called("Perplexity, second half", flat);
  EXPECT_THAT(half, HasSubstr(">validation<"));
  EXPECT_THAT(half, testing::Not(HasSubstr(">update 300</text>")));  // under the pointer
  EXPECT_THAT(half, HasSubstr(">update 320</text>"));
  EXPECT_THAT(chart_called("Perplexity", flat), HasSubstr(">10</text>"));  // a linear axis would have steps of 200
  for (json& line : run.metrics) {
    line["loss"] = 8 - line.at("updates").get<double>() / 100;  // as steep at the end as at the beginning
    line["nll"] = 2 - line.at("updates").get<double>() / 600;
  }
  const auto steep = curves(run);
  EXPECT_EQ(chart_called("Loss, second half", steep), "");
  EXPECT_EQ(chart_called("Perplexity, second half", steep), "");
}

/// The labels at the ticks of the x axis of a chart.
std::vector<std::string> x_ticks(const std::string& chart) {
  const std::regex tick(R"re(<text [^>]*y="231"[^>]*>([^<]*)<)re");  // 17 pixels below a frame of 260 - 46
  std::vector<std::string> found;
  for (std::sregex_iterator it(chart.begin(), chart.end(), tick), end; it != end; ++it) found.push_back((*it)[1]);
  return found;
}

TEST(Curves, ShareTheirUpdatesFromTheFirstToTheLastOfTheRun) {
  const auto charts = curves(test::small_run());  // reports every 20 updates, validations every 100
  const auto expected = x_ticks(chart_called("Loss", charts));
  EXPECT_EQ(expected, (std::vector<std::string>{"0", "200", "400", "600"}));
  for (const char* title : {"Perplexity", "BLEU and chrF of the validations", "Learning rate", "Speed"}) {
    EXPECT_EQ(x_ticks(chart_called(title, charts)), expected) << title;
  }
}

TEST(CurvesTogether, OfRunsOfVeryDifferentLengthHaveALogarithmicAxis) {
  RunData one = test::small_run(), other = one;
  one.name = "one";
  const auto axis = [&](double factor) {
    RunData longer = other;
    for (json& line : longer.metrics) line["updates"] = line.at("updates").get<double>() * factor;
    return x_ticks(chart_called("Validation BLEU", curves_together({one, longer})));
  };
  EXPECT_EQ(axis(2).front(), "0");
  const auto logarithmic = axis(100);
  EXPECT_NE(std::ranges::find(logarithmic, "0.1k"), logarithmic.end());
  EXPECT_NE(std::ranges::find(logarithmic, "10k"), logarithmic.end());
}

TEST(Curves, CompareTheCorporaOfValidations) {
  RunData run = test::small_run();
  for (json& line : run.metrics) {
    if (line.at("kind") == "valid") line["further"] = {{"news", {{"loss", 4.5}, {"bleu", 12.5}}}};
  }
  const auto charts = curves(run);
  for (const char* title : {"Validation loss per corpus", "Validation BLEU per corpus"}) {
    const std::string chart = chart_called(title, charts);
    for (const char* name : {">news<", ">the one that decides<"}) EXPECT_THAT(chart, HasSubstr(name));
  }
  EXPECT_EQ(chart_called("Validation accuracy per corpus", charts), "");
}

TEST(Curves, ShowTheAccuracyOfAClassifier) {
  RunData run = test::small_run();
  for (json& line : run.metrics) {
    line.erase("bleu");
    line.erase("chrf");
    if (line.at("kind") == "valid") line["accuracy"] = 0.5;
  }
  const auto charts = curves(run);
  EXPECT_EQ(std::ranges::count_if(charts,
                                  [](const std::string& chart) {
                                    return chart.find(">Accuracy of the validations<") != std::string::npos;
                                  }),
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

TEST(LengthChart, TextsWithoutATargetHaveOneSide) {
  json statistics = test::small_run().statistics;
  statistics.erase("target_lengths");
  const std::string chart = length_chart(statistics);
  EXPECT_THAT(chart, HasSubstr(">Lengths of the training texts<"));
  EXPECT_THAT(chart, Not(HasSubstr(">target<")));
}

TEST(AttentionFigures, ShowLayersAndHeadsAndTheSentence) {
  const AttentionFigures maps = attention_figures(test::small_run().attention);
  ASSERT_EQ(maps.layers.size(), 2U);
  ASSERT_EQ(maps.heads.size(), 4U);
  EXPECT_EQ(maps.source, "two");
  EXPECT_EQ(maps.translation, "zwei");
  EXPECT_THAT(maps.layers[1], HasSubstr(">layer 2<"));
  EXPECT_THAT(maps.heads[1], HasSubstr(">&lt;/s&gt;<"));
  EXPECT_TRUE(attention_figures(json()).layers.empty());
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

TEST(AttentionFigures, OfAYoungModelHaveAScaleOnWhichItsWeightsShow) {
  json attention = test::small_run().attention;
  EXPECT_THAT(attention_figures(attention).layers.at(0), HasSubstr(">1</text>"));
  for (const char* key : {"layers", "heads"}) {
    for (json& map : attention[key]) map = {0.03, 0.01, 0.02, 0.015};
  }
  const AttentionFigures young = attention_figures(attention);
  EXPECT_THAT(young.layers.at(0), HasSubstr(">0.05</text>"));
  EXPECT_THAT(young.heads.at(0), HasSubstr(">0.05</text>"));
}

}  // namespace
}  // namespace ventris::report
