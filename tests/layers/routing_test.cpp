#include "layers/routing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace ventris::layers {
namespace {

architecture::TransformerOptions experts(int64_t count, int64_t per_token) {
  architecture::TransformerOptions options;
  options.experts = count;
  options.experts_per_token = per_token;
  return options;
}

TEST(Routing, SortsRowsByTheirBestExpert) {
  std::vector<float> logits{0, 1, 0, 2, 0, 0, 0, 0, 3};  // three rows
  Routing routing;
  routing.choose(logits.data(), 3, experts(3, 1));
  const auto all = routing.all();
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].row, 1);
  EXPECT_EQ(all[1].row, 0);
  EXPECT_EQ(all[2].row, 2);
  for (int64_t expert = 0; expert < 3; ++expert) EXPECT_EQ(routing.count(expert), 1);
  EXPECT_NEAR(all[0].share, std::exp(2.0) / (std::exp(2.0) + 2), 1e-6);
}

TEST(Routing, SharesOfTwoExpertsSumToOne) {
  std::vector<float> logits{0, 5, 4, -1};
  Routing routing;
  routing.choose(logits.data(), 1, experts(4, 2));
  EXPECT_EQ(routing.count(1), 1);
  EXPECT_EQ(routing.count(2), 1);
  EXPECT_NEAR(routing.all()[0].share, 1 / (1 + std::exp(-1.0)), 1e-6);
  EXPECT_NEAR(routing.all()[0].share + routing.all()[1].share, 1, 1e-6);
}

TEST(Routing, OfEqualLogitsTheFirstWins) {
  std::vector<float> logits{1, 1, 1, 1};
  Routing routing;
  routing.choose(logits.data(), 1, experts(4, 2));
  EXPECT_EQ(routing.count(0), 1);
  EXPECT_EQ(routing.count(1), 1);
}

TEST(Routing, ALogitThatIsNotANumberIsSeenInTheShares) {
  for (const int64_t per_token : {1, 2}) {
    for (size_t place = 0; place < 3; ++place) {
      std::vector<float> logits{1, 2, 3};
      logits[place] = std::numeric_limits<float>::quiet_NaN();
      Routing routing;
      routing.choose(logits.data(), 1, experts(3, per_token));
      for (const auto& choice : routing.all()) EXPECT_TRUE(std::isnan(choice.share)) << per_token << " " << place;
    }
  }
}

TEST(Routing, IsMadeAnewForEachBatch) {
  Routing routing;
  std::vector<float> many(30, 1), one{0, 0, 1};
  routing.choose(many.data(), 10, experts(3, 1));
  routing.choose(one.data(), 1, experts(3, 1));
  EXPECT_EQ(routing.all().size(), 1U);
  EXPECT_EQ(routing.count(0), 0);
  EXPECT_EQ(routing.count(2), 1);
}

}  // namespace
}  // namespace ventris::layers
