#include "alignment/links.h"

#include <gtest/gtest.h>

namespace ventris::alignment {
namespace {

TEST(Links, ProbabilitiesHaveAtMostThreeDigits) {
  EXPECT_EQ(format_probabilities({1, 0.98765F, 0.5F, 0.0001F}), "1 0.988 0.5 0");
  EXPECT_EQ(format_probabilities({}), "");
}

}  // namespace
}  // namespace ventris::alignment
