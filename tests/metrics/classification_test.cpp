#include "metrics/classification.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace ventris::metrics {
namespace {

/// Five texts of label 0, three of 1, none of 2.
ConfusionMatrix some_counts() {
  ConfusionMatrix matrix(4);
  for (int i = 0; i < 4; ++i) matrix.add(0, 0);
  matrix.add(0, 1);
  matrix.add(1, 1);
  matrix.add(1, 0);
  matrix.add(1, 2);
  return matrix;
}

TEST(ConfusionMatrix, CountsWhatIsRight) {
  const ConfusionMatrix matrix = some_counts();
  EXPECT_EQ(matrix.texts(), 8);
  EXPECT_EQ(matrix.correct(), 5);
  EXPECT_DOUBLE_EQ(matrix.accuracy(), 5.0 / 8);
  EXPECT_EQ(matrix.count(1, 2), 1);
}

TEST(ConfusionMatrix, EachLabelHasPrecisionRecallAndF1) {
  const LabelScores first = some_counts().scores(0), second = some_counts().scores(1);
  EXPECT_EQ(first.gold, 5);
  EXPECT_EQ(first.predicted, 5);
  EXPECT_DOUBLE_EQ(first.precision, 4.0 / 5);
  EXPECT_DOUBLE_EQ(first.f1, 4.0 / 5);
  EXPECT_DOUBLE_EQ(second.precision, 1.0 / 2);
  EXPECT_DOUBLE_EQ(second.recall, 1.0 / 3);
  EXPECT_DOUBLE_EQ(second.f1, 2 * (1.0 / 2) * (1.0 / 3) / (1.0 / 2 + 1.0 / 3));
}

TEST(ConfusionMatrix, ALabelThatDoesNotOccurCountsOnlyIfItWasPredicted) {
  const ConfusionMatrix matrix = some_counts();
  EXPECT_EQ(matrix.scores(2).f1, 0);
  EXPECT_EQ(matrix.scores(3).recall, 0);
  EXPECT_DOUBLE_EQ(matrix.macro_f1(), (0.8 + 0.4 + 0) / 3);  // label 3 is left out
}

TEST(ConfusionMatrix, NothingHasNoScores) {
  EXPECT_EQ(ConfusionMatrix(2).accuracy(), 0);
  EXPECT_EQ(ConfusionMatrix(2).macro_f1(), 0);
  EXPECT_THROW(ConfusionMatrix(2).add(0, 2), std::out_of_range);
}

}  // namespace
}  // namespace ventris::metrics
