#include "markup/pipe_lines.h"

#include <gtest/gtest.h>

#include <string>

namespace ventris::markup {
namespace {

TEST(PipeLines, OfVerseAndOfTablesWithoutAHeadAreTold) {
  for (const std::string verse : {"| a\n| b\n", "| a\n  goes on\n|\n|   b", "| a"}) {
    EXPECT_EQ(pipe_lines_at(verse, 0), PipeLines::kVerse) << verse;
  }
  for (const std::string cells : {"| a | b |\n| c | d |\n", "|---|---|\n| a | b |  \n\ntext", "|a|"}) {
    EXPECT_EQ(pipe_lines_at(cells, 0), PipeLines::kCells) << cells;
  }
  EXPECT_EQ(pipe_lines_at("> | a\n> | b\n", 2), PipeLines::kVerse);
}

TEST(PipeLines, OtherTextIsNone) {
  for (const std::string text : {"a | b", "|a", "| a | b\n| c | d", "| a\nb", "| a |\nb", "", "|x| > 1"}) {
    EXPECT_EQ(pipe_lines_at(text, 0), PipeLines::kNone) << text;
  }
}

}  // namespace
}  // namespace ventris::markup
