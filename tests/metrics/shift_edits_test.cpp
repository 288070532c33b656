#include "metrics/shift_edits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace ventris::metrics {
namespace {

TEST(ShiftEdits, AShiftedSequenceIsOneEdit) {
  EXPECT_EQ(shift_edits({1, 2, 3, 4, 5}, {1, 2, 3, 4, 5}), 0);
  EXPECT_EQ(shift_edits({4, 5, 1, 2, 3}, {1, 2, 3, 4, 5}), 1);
  EXPECT_EQ(shift_edits({1, 4, 5, 2, 3, 6}, {1, 2, 3, 4, 5, 6}), 1);
}

TEST(ShiftEdits, OtherErrorsCountBesideShifts) {
  EXPECT_EQ(shift_edits({4, 5, 1, 2, 9}, {1, 2, 3, 4, 5}), 2);
  EXPECT_EQ(shift_edits({1, 1, 1}, {1}), 2);
}

TEST(ShiftEdits, EmptySidesCostTheOtherSidesWords) {
  EXPECT_EQ(shift_edits({}, {1, 2}), 2);
  EXPECT_EQ(shift_edits({1, 2, 3}, {}), 3);
  EXPECT_EQ(shift_edits({}, {}), 0);
}

TEST(ShiftEdits, ShiftsAreOfTenWordsAtMost) {
  Symbols reference(24), hypothesis;
  std::iota(reference.begin(), reference.end(), 0U);
  hypothesis = reference;
  std::rotate(hypothesis.begin(), hypothesis.begin() + 12, hypothesis.end());
  EXPECT_EQ(shift_edits(hypothesis, reference), 2);
}

}  // namespace
}  // namespace ventris::metrics
