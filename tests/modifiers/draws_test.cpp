#include "modifiers/draws.h"

#include <gtest/gtest.h>

#include <vector>

namespace ventris::modifiers {
namespace {

TEST(Draws, AreAFunctionOfTheSeed) {
  Draws first(7), second(7), other(8);
  std::vector<size_t> a, b, c;
  for (int i = 0; i < 20; ++i) {
    a.push_back(first.below(1000));
    b.push_back(second.below(1000));
    c.push_back(other.below(1000));
  }
  EXPECT_EQ(a, b);
  EXPECT_NE(a, c);
}

}  // namespace
}  // namespace ventris::modifiers
