#include "imports/feature_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ventris::imports {
namespace {

using testing::ElementsAre;

TEST(FeatureOrder, RowsAreTakenInOrderAndZerosWhereThereIsNone) {
  EXPECT_THAT(rows_in({2, -1, 0}, {1, 2, 3, 4, 5, 6}, 2), ElementsAre(5, 6, 0, 0, 1, 2));
}

TEST(FeatureOrder, ColumnsAreTakenInOrderInEveryRow) {
  EXPECT_THAT(columns_in({2, 0, 1}, {1, 2, 3, 4, 5, 6}), ElementsAre(3, 1, 2, 6, 4, 5));
}

TEST(FeatureOrder, RowsAreFilledUpWithZeros) {
  EXPECT_THAT(filled_up({1, 2, 3, 4}, 2, 3), ElementsAre(1, 2, 0, 3, 4, 0));
  EXPECT_THAT(filled_up({1, 2, 3, 4}, 2, 2), ElementsAre(1, 2, 3, 4));
}

TEST(FeatureOrder, SinesAndCosinesAlternate) {
  EXPECT_THAT(alternating(6), ElementsAre(0, 3, 1, 4, 2, 5));
  EXPECT_THAT(unchanged(3), ElementsAre(0, 1, 2));
}

}  // namespace
}  // namespace ventris::imports
