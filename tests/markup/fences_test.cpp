#include "markup/fences.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ventris::markup {
namespace {

/// "c" for each line that is code or a fence, "t" for others.
std::string kinds_of_lines(const std::vector<std::string>& lines) {
  Fences fences;
  std::string kinds;
  for (const std::string& line : lines) kinds += fences.take(line) ? 'c' : 't';
  return kinds;
}

TEST(Fences, CodeEndsAtAFenceOfTheSameSignThatIsAsLong) {
  EXPECT_EQ(kinds_of_lines({"a", "```c", "b", "``", "~~~", "````", "d"}), "tccccct");
  EXPECT_EQ(kinds_of_lines({"~~~ a`b", "```", "~~~ x", "~~~ ", "a"}), "cccct");
}

TEST(Fences, ShortOnesAndCodeInALineBeginNothing) {
  EXPECT_EQ(kinds_of_lines({"``", "~~", "```a`", "", "a ```"}), "ttttt");
}

}  // namespace
}  // namespace ventris::markup
