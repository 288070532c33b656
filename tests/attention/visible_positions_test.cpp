#include "attention/visible_positions.h"

#include <gtest/gtest.h>

namespace ventris::attention {
namespace {

TEST(VisiblePositions, AreAllWithoutAMask) {
  const auto visible = visible_positions({}, torch::zeros({2, 3, 4}), false, "linear");
  EXPECT_TRUE(visible.equal(torch::ones({1, 3}, torch::kBool)));
}

TEST(VisiblePositions, AreThoseOfTheMaskAndOfItsLastRowIfItIsCausal) {
  const auto x = torch::zeros({2, 3, 4});
  const auto mask = torch::tensor({{1, 1, 0}, {1, 0, 0}}).to(torch::kBool);
  EXPECT_TRUE(visible_positions(mask.unsqueeze(1), x, false, "linear").equal(mask));
  const auto causal = mask.unsqueeze(1).logical_and(torch::ones({3, 3}, torch::kBool).tril());
  EXPECT_TRUE(visible_positions(causal, x, true, "linear").equal(mask));
}

TEST(VisiblePositions, AMaskForAllPositionsIsRepeated) {
  const auto visible =
      visible_positions(torch::zeros({1, 1, 1}, torch::kBool), torch::zeros({2, 3, 4}), false, "window");
  EXPECT_TRUE(visible.equal(torch::zeros({1, 3}, torch::kBool)));
}

TEST(VisiblePositions, AMaskOfPairsOfPositionsIsRefusedWithTheKind) {
  try {
    visible_positions(torch::ones({2, 3, 3}, torch::kBool), torch::zeros({2, 3, 4}), false, "window");
    FAIL();
  } catch (const c10::Error& error) {
    EXPECT_NE(std::string(error.what()).find("window attention: expected a mask [batch, 1, len]"), std::string::npos);
  }
}

}  // namespace
}  // namespace ventris::attention
