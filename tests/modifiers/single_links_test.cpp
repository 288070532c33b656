#include "modifiers/single_links.h"

#include <gtest/gtest.h>

namespace ventris::modifiers {
namespace {

using Words = std::vector<std::string_view>;

TEST(SingleLinks, AreThoseOfWordsThatHaveNoOther) {
  const text::Links links{{0, 0}, {1, 1}, {1, 2}, {2, 3}, {3, 3}};
  EXPECT_EQ(single_links(links, {"a", "b", "c", "d"}, {"A", "B", "C", "D"}), (text::Links{{0, 0}}));
}

TEST(SingleLinks, SignsAreNoWords) {
  const text::Links links{{0, 0}, {1, 1}, {2, 2}, {3, 3}};
  EXPECT_EQ(single_links(links, {".", "b", "7", "über"}, {"A", ",", "7", "Über"}), (text::Links{{2, 2}, {3, 3}}));
}

TEST(SingleLinks, WordsThatDoNotExistHaveNone) {
  EXPECT_EQ(single_links({{0, 1}, {1, 0}, {5, 5}}, {"a", "b"}, {"A"}), (text::Links{{1, 0}}));
  EXPECT_EQ(single_links({{0, 0}}, {""}, {"A"}), text::Links{}) << "an empty word is no word";
}

}  // namespace
}  // namespace ventris::modifiers
