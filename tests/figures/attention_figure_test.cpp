#include "figures/attention_figure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace ventris::figures {
namespace {

TEST(AttentionFigure, HasAMapOfEachHeadWithItsTokens) {
  const std::vector<float> weights{1, 0, 0.5, 0.5, 0, 1, 0.25, 0.75};
  const std::string svg = attention_figure(
      {"Layer 1", "head", {"the sentence"}, "source", "target", {"r1", "r2"}, {"c1", "c2"}, 2, weights});
  for (const char* text :
       {">Layer 1<", ">the sentence<", ">head 1<", ">head 2<", ">source<", ">target<", ">r2<", ">c1<"}) {
    EXPECT_THAT(svg, testing::HasSubstr(text));
  }
}

TEST(AttentionFigure, ColoursGoFromZeroToOneHoweverSmallTheWeightsAre) {
  for (const float weight : {0.0F, 0.034F, 0.9F}) {
    const std::vector<float> weights{weight, 0, weight, 0};
    const AttentionFigure figure{"", "head", {}, "", "", {"r"}, {"c", "d"}, 2, weights};
    for (const HeatMap& map : attention_maps(figure)) {
      EXPECT_EQ(map.low, 0);
      EXPECT_EQ(map.high, 1);
    }
    EXPECT_THAT(attention_figure(figure), testing::HasSubstr(">1</text>"));
  }
}

TEST(AttentionFigure, SizesThatDoNotFitAreRefused) {
  const std::vector<float> weights{1, 0, 0.5};
  EXPECT_THROW(attention_figure({"", "head", {}, "", "", {"r"}, {"c", "d"}, 1, weights}), std::invalid_argument);
  EXPECT_THROW(mean_over_panels(weights, 2), std::invalid_argument);
}

TEST(MeanOverPanels, IsTakenCellByCell) {
  const std::vector<float> weights{1, 0, 0.5, 0.5};
  EXPECT_EQ(mean_over_panels(weights, 2), (std::vector<float>{0.75, 0.25}));
}

}  // namespace
}  // namespace ventris::figures
