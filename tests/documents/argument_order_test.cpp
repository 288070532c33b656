#include "documents/argument_order.h"

#include <gtest/gtest.h>

namespace ventris::documents {
namespace {

/// Texts with an object in the place of each conversion "%x".
MarkedText with_conversions(const std::string& text) {
  MarkedText marked{text};
  std::vector<ByteRange> ranges;
  for (size_t at = text.find('%'); at != std::string::npos; at = text.find('%', at + 2)) ranges.push_back({at, at + 2});
  marked.hide(ranges);
  return marked;
}

std::string raw(const MarkedText& text) { return text.raw({0, text.text.size()}); }

TEST(ArgumentOrder, OnlyDifferentArgumentsInAnotherOrderCount) {
  const auto changes = [](const std::string& source) {
    const MarkedText text = with_conversions(source);
    const MaskedText masked = mask(text, {"Tom", "Anna"});
    return has_other_order(text, masked, {"Anna Tom", {{1, 0}, {0, 1}}});
  };
  EXPECT_TRUE(changes("%s %d"));
  EXPECT_FALSE(changes("%s %s"));
  EXPECT_FALSE(changes("%s"));
}

TEST(ArgumentOrder, NumbersGoOnThroughGapsAndSentences) {
  MarkedText first = with_conversions("Give %s the %d"), second = with_conversions("One %s");
  std::vector<std::string> gaps{"%s: ", " ", ""};
  EXPECT_FALSE(number_conversions({&first, &second}, gaps, false)) << "a gap that must stay has one";
  EXPECT_EQ(raw(first), "Give %s the %d");
  ASSERT_TRUE(number_conversions({&first, &second}, gaps, true));
  EXPECT_EQ(gaps, (std::vector<std::string>{"%1$s: ", " ", ""}));
  EXPECT_EQ(raw(first), "Give %2$s the %3$d");
  EXPECT_EQ(raw(second), "One %4$s");
}

}  // namespace
}  // namespace ventris::documents
