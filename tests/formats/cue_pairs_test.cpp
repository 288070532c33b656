#include "formats/cue_pairs.h"

#include <gtest/gtest.h>

namespace ventris::formats {
namespace {

std::vector<std::string> mended(std::vector<std::string> lines, const std::vector<size_t>& cues) {
  mend_pairs(lines, cues, markup::Markup::kSrt);
  return lines;
}
using Lines = std::vector<std::string>;

TEST(CuePairs, APairEndsWithItsSubtitle) {
  EXPECT_EQ(mended({"a <i>b", "c</i> d"}, {0, 1}), (Lines{"a <i>b</i>", "c d"}));
  EXPECT_EQ(mended({"a <i>b", "c", "d</i>"}, {0, 0, 1}), (Lines{"a <i>b", "c</i>", "d"}));
  EXPECT_EQ(mended({"<b>a <i>b", "c</i></b> d"}, {0, 1}), (Lines{"<b>a <i>b</i></b>", "c d"}));
}

TEST(CuePairs, APairWithoutTextInASubtitleBeginsInTheNext) {
  EXPECT_EQ(mended({"a <b><i>", "c</i> d</b>"}, {0, 1}), (Lines{"a ", "<b><i>c</i> d</b>"}));
  EXPECT_EQ(mended({"a <i>", "", "c</i>"}, {0, 1, 2}), (Lines{"a ", "", "<i>c</i>"}));
  EXPECT_EQ(mended({"a <i>", "</i>c"}, {0, 1}), (Lines{"a ", "<i></i>c"}));
}

TEST(CuePairs, EverythingElseStays) {
  for (const Lines& lines : {Lines{"a <i>b</i>", "c"}, Lines{"a <i>b", "c"}, Lines{"a</i>", "<i>c"}}) {
    EXPECT_EQ(mended(lines, {0, 1}), lines);
  }
  EXPECT_EQ(mended({"a <i>b", "c</i>"}, {0, 0}), (Lines{"a <i>b", "c</i>"}));
}

}  // namespace
}  // namespace ventris::formats
