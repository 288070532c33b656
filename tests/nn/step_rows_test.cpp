#include "nn/step_rows.h"

#include <gtest/gtest.h>

namespace ventris::nn {
namespace {

TEST(StackRows, PadsTheShorterRowsWithZeros) {
  const auto two = torch::ones({2, 3, 4}), one = torch::ones({1, 5, 4});
  const auto stacked = stack_rows(two, one, 1);
  EXPECT_EQ(stacked.sizes(), (std::vector<int64_t>{3, 5, 4}));
  EXPECT_EQ(stacked.sum().item<double>(), 2 * 12 + 20);
  EXPECT_TRUE(stacked.slice(0, 0, 2).slice(1, 3).eq(0).all().item<bool>());
  EXPECT_TRUE(torch::equal(stack_rows(one, two, 1).slice(0, 1).slice(1, 0, 3), two));
}

TEST(StackRows, NothingBeforeLeavesTheNewRows) {
  const auto rows = torch::ones({2, 3});
  EXPECT_TRUE(torch::equal(stack_rows({}, rows, 1), rows));
  EXPECT_TRUE(torch::equal(stack_rows(torch::ones({0, 7}), rows, 1), rows));
}

}  // namespace
}  // namespace ventris::nn
