#include "report/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace ventris::report {
namespace {

using testing::HasSubstr;

TEST(Page, ForbidsTheBrowserToFetchOrRunAnything) {
  const std::string text = page("a <title>", "<p>body</p>");
  EXPECT_THAT(text, HasSubstr("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';"));
  EXPECT_THAT(text, HasSubstr("<title>a &lt;title&gt;</title>"));
  EXPECT_THAT(text, HasSubstr("<p>body</p>"));
  for (const char* outside : {"<script", "<link", "<img", "href=", "src=", "url(", "@import", "http://", "https://"}) {
    EXPECT_EQ(text.find(outside), std::string::npos) << outside;
  }
}

TEST(Table, ItsCellsAreTextsEachOfItsOwnDirection) {
  const std::string text = html(Table{{"head & co"}, {{"<b>"}, {"\u05D0"}}});
  EXPECT_THAT(text, HasSubstr("<th>head &amp; co</th>"));
  EXPECT_THAT(text, HasSubstr("<td dir=\"auto\">&lt;b&gt;</td>"));
  EXPECT_THAT(text, HasSubstr("<td dir=\"auto\">\u05D0</td>"));
}

TEST(Rounded, HasAUnitFromAMillionOn) {
  EXPECT_EQ(rounded(12345678), "12.3 M");
  EXPECT_EQ(rounded(2.5e9), "2.5 G");
  EXPECT_EQ(rounded(345678.4), "345,678");
  EXPECT_EQ(rounded(NAN), "\u2013");
}

TEST(HoursText, IsHoursAndMinutes) {
  EXPECT_EQ(hours_text(59.2), "0:59");
  EXPECT_EQ(hours_text(65), "1:05");
  EXPECT_EQ(hours_text(6000), "100:00");
  EXPECT_EQ(hours_text(NAN), "\u2013");
}

TEST(Figure, IsNothingWithoutADrawing) {
  EXPECT_EQ(figure(""), "");
  EXPECT_EQ(figure("<svg/>"), "<figure>\n<svg/></figure>\n");
}

}  // namespace
}  // namespace ventris::report
