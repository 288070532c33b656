#include "metrics/edit_distance.h"

#include <gtest/gtest.h>

#include <numeric>

namespace ventris::metrics {
namespace {

TEST(EditDistance, CountsInsertionsDeletionsAndSubstitutions) {
  EditAlignment alignment;
  EXPECT_EQ(BeamEditDistance(3, {1, 2, 3}).align({1, 2, 3}, alignment), 0);
  EXPECT_EQ(BeamEditDistance(3, {1, 2, 3, 4}).align({1, 9, 3}, alignment), 2);
  EXPECT_EQ(BeamEditDistance(0, {1, 2}).align({}, alignment), 2);
}

TEST(EditDistance, TheAlignmentSaysWhereErrorsAre) {
  EditAlignment alignment;
  BeamEditDistance(3, {1, 2, 3, 4}).align({1, 9, 3}, alignment);
  EXPECT_EQ(alignment.hypothesis_position, (std::vector<int>{0, 1, 2, 2}));
  EXPECT_EQ(alignment.hypothesis_errors, (std::vector<int>{0, 0, 1, 1}));
  EXPECT_EQ(alignment.reference_errors, (std::vector<int>{0, 0, 1, 1, 2}));
}

TEST(EditDistance, ASimilarHypothesisIsComparedWithTheOneAligned) {
  EditAlignment alignment;
  BeamEditDistance distances(4, {1, 2, 3, 4});
  distances.align({1, 2, 4, 3}, alignment);
  EXPECT_EQ(distances.distance({1, 2, 3, 4}, 2, 100), 0);
  EXPECT_EQ(distances.distance({1, 2, 9, 9}, 2, 100), 2);
  EXPECT_EQ(distances.distance({1, 2, 4, 3}, 4, 100), 2);
}

TEST(EditDistance, ADistanceOverTheLimitIsOverTheLimit) {
  EditAlignment alignment;
  BeamEditDistance distances(4, {1, 2, 3, 4});
  distances.align({1, 2, 3, 4}, alignment);
  EXPECT_GT(distances.distance({9, 9, 9, 9}, 0, 1), 1);
}

TEST(EditDistance, LongSentencesTakeMemoryByTheirLengthNotItsSquare) {
  Symbols reference(100'000);
  std::iota(reference.begin(), reference.end(), 0U);
  Symbols hypothesis(reference.begin() + 10, reference.end());
  EditAlignment alignment;
  EXPECT_EQ(BeamEditDistance(hypothesis.size(), reference).align(hypothesis, alignment), 10);
  EXPECT_EQ(BeamEditDistance(1, reference).align({99'999}, alignment), 99'999);
}

TEST(EditDistance, WordsFarFromTheDiagonalAreNotFound) {
  Symbols hypothesis, reference;
  for (uint32_t i = 0; i < 60; ++i) reference.push_back(i);
  for (uint32_t i = 0; i < 60; ++i) hypothesis.push_back(i < 30 ? 100 + i : i - 30);
  EditAlignment alignment;
  EXPECT_EQ(BeamEditDistance(60, reference).align(hypothesis, alignment), 60);
}

}  // namespace
}  // namespace ventris::metrics
