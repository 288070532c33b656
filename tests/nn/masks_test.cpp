#include "nn/masks.h"

#include <gtest/gtest.h>

namespace ventris::nn {
namespace {

TEST(Masks, APositionSeesItselfAndThePast) {
  const auto expected = torch::tensor({{{1, 0, 0}, {1, 1, 0}, {1, 1, 1}}}).to(torch::kBool);
  EXPECT_TRUE(torch::equal(subsequent_mask(3), expected));
}

TEST(Masks, NothingIsVisibleInAnEmptySequence) {
  EXPECT_EQ(subsequent_mask(0).sizes(), (std::vector<int64_t>{1, 0, 0}));
}

TEST(Masks, PaddingIsHiddenFromEverybody) {
  const auto ids = torch::tensor({{5, 6, 0}, {7, 0, 0}});
  const auto expected = torch::tensor({{{1, 1, 0}}, {{1, 0, 0}}}).to(torch::kBool);
  EXPECT_TRUE(torch::equal(padding_mask(ids, 0), expected));
  EXPECT_EQ(padding_mask(ids, 0).scalar_type(), torch::kBool);
}

TEST(Masks, ALengthShowsItsFirstPositions) {
  const auto expected = torch::tensor({{{1, 1, 0}}, {{1, 1, 1}}}).to(torch::kBool);
  EXPECT_TRUE(torch::equal(length_mask(torch::tensor({2, 3}), 3), expected));
}

TEST(Masks, ATargetHidesPaddingAndTheFuture) {
  const auto ids = torch::tensor({{5, 6, 0}});
  const auto expected = torch::tensor({{{1, 0, 0}, {1, 1, 0}, {1, 1, 0}}}).to(torch::kBool);
  EXPECT_TRUE(torch::equal(target_mask(ids, 0), expected));
}

}  // namespace
}  // namespace ventris::nn
