#include "text/word_links.h"

#include <gtest/gtest.h>

namespace ventris::text {
namespace {

TEST(WordLinks, AreWrittenAsPharaohDoes) {
  EXPECT_EQ(format_links({{0, 0}, {1, 2}, {10, 3}}), "0-0 1-2 10-3");
  EXPECT_EQ(format_links({}), "");
}

TEST(WordLinks, AreReadInAnyOrderAndOnce) {
  EXPECT_EQ(parse_links(" 1-2\t0-0  10-3 1-2\r"), (Links{{0, 0}, {1, 2}, {10, 3}}));
  EXPECT_EQ(parse_links(""), Links{});
  EXPECT_EQ(parse_links("  "), Links{});
}

TEST(WordLinks, WhatIsNoLinkIsNotRead) {
  for (const char* line : {"1", "1-", "-1-2", "1-2x", "1-2,3-4", "1--2", "a-b", "1?2", "99999999999-1", "1-2-3"}) {
    EXPECT_EQ(parse_links(line), std::nullopt) << line;
  }
}

}  // namespace
}  // namespace ventris::text
