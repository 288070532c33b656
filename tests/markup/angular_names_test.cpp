#include "markup/angular_names.h"

#include <gtest/gtest.h>

namespace ventris::markup {
namespace {

TEST(AngularNames, AreWithoutNumbersAndWhatBeginsThem) {
  EXPECT_EQ(angular_name("START_LINK_1"), "LINK");
  EXPECT_EQ(angular_name("CLOSE_LINK"), "LINK");
  EXPECT_EQ(angular_name("LINE_BREAK_12"), "LINE_BREAK");
  for (const char* same : {"", "1", "_1", "12", "HEADING_LEVEL1", "LINK_"}) EXPECT_EQ(angular_name(same), same);
  EXPECT_EQ(angular_name("START_1"), "1");
}

TEST(AngularNames, OfBlocksAndLineBreaks) {
  for (const char* block :
       {"START_PARAGRAPH", "CLOSE_PARAGRAPH_1", "LINE_BREAK", "START_HEADING_LEVEL2", "TABLE_ROW", "START_TAG_DIV"})
    EXPECT_TRUE(is_angular_block(block)) << block;
  for (const char* other : {"", "1", "START_LINK", "INTERPOLATION", "START_TAG_SPAN", "PARAGRAPHS"})
    EXPECT_FALSE(is_angular_block(other)) << other;
}

TEST(AngularNames, WordsBetweenTagsOfCodeAndIconsAreNoText) {
  EXPECT_TRUE(is_angular_code(angular_name("START_TAG_MAT_ICON_1")));
  EXPECT_TRUE(is_angular_code(angular_name("START_TAG_CODE")));
  EXPECT_FALSE(is_angular_code(angular_name("START_LINK")));
}

}  // namespace
}  // namespace ventris::markup
