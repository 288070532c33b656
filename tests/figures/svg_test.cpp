#include "figures/svg.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace ventris::figures {
namespace {

using testing::HasSubstr;

TEST(Escape, LeavesNoMarkupAndNoCharacterThatXmlDoesNotHave) {
  EXPECT_EQ(escape(R"(<b class="x">&'</b>)"), "&lt;b class=&quot;x&quot;&gt;&amp;&#39;&lt;/b&gt;");
  EXPECT_EQ(escape(std::string("a\0b\x01\x1f\tc", 7)), "a\uFFFDb\uFFFD\uFFFD\tc");
  EXPECT_EQ(escape("\uFFFE\uFFFFx"), "\uFFFD\uFFFDx");
  EXPECT_EQ(escape("\u2581\u05D0\u05D1 \U0001F600"), "\u2581\u05D0\u05D1 \U0001F600");
}

TEST(Number, HasNoExponentAndNoMoreThanItNeeds) {
  EXPECT_EQ(number(3), "3");
  EXPECT_EQ(number(2.5), "2.5");
  EXPECT_EQ(number(1.0 / 3), "0.33");
  EXPECT_EQ(number(-0.001), "0");
  EXPECT_EQ(number(1e7), "10000000");
}

TEST(Shortened, CutsAtACharacterAndOnlyWhatIsTooLong) {
  EXPECT_EQ(shortened("abc", 3), "abc");
  EXPECT_EQ(shortened("abcd", 3), "ab\u2026");
  EXPECT_EQ(shortened("\u05D0\u05D1\u05D2\u05D3", 3), "\u05D0\u05D1\u2026");
  EXPECT_EQ(shortened("", 3), "");
}

TEST(TextWidth, CountsCharactersAndNotBytes) {
  EXPECT_DOUBLE_EQ(text_width("ab", 10), text_width("\u05D0\u05D1", 10));
  EXPECT_GT(text_width("\u6F22\u5B57", 10), text_width("ab", 10));
}

TEST(Svg, IsADocumentThatRefersToNothing) {
  Svg svg(100, 50, "a < b");
  svg.text(1, 2, "<script>", {12, Anchor::kEnd, kTitle, true, -60});
  svg.line(0, 0, 1.25, 1, {kQuiet, 2, "4 2"});
  const std::string text = svg.finish();
  EXPECT_TRUE(text.starts_with(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"ventris-figure\" width=\"100\" height=\"50\""));
  EXPECT_TRUE(text.ends_with("</svg>\n"));
  EXPECT_THAT(text, HasSubstr("<title>a &lt; b</title>"));
  EXPECT_THAT(text, HasSubstr("&lt;script&gt;</text>"));
  EXPECT_THAT(text, HasSubstr("rotate(-60 1 2)"));
  EXPECT_THAT(text, HasSubstr("stroke-dasharray=\"4 2\""));
  for (const char* outside : {"href", "url(", "<script", "<image", "@import"}) {
    EXPECT_EQ(text.find(outside), std::string::npos) << outside;
  }
}

TEST(Svg, HasAColourForEachGround) {
  Svg svg(10, 10, "");
  svg.circle(1, 1, 1, {0x123456, 0xabcdef});
  EXPECT_THAT(svg.finish(), HasSubstr("fill=\"#123456\" style=\"--fill:#abcdef\""));
  EXPECT_THAT(svg.finish(), HasSubstr("(prefers-color-scheme: dark)"));
}

TEST(Wrapped, CutsBetweenWordsAndWithinOneThatIsTooLong) {
  EXPECT_EQ(wrapped("one two", 7 * 0.58 * 10, 10), (std::vector<std::string>{"one two"}));
  EXPECT_EQ(wrapped("one two", 4 * 0.58 * 10, 10), (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(wrapped("abcdef", 4 * 0.58 * 10 + 1, 10), (std::vector<std::string>{"abcd", "ef"}));
}

TEST(Svg, EachTextHasADirectionOfItsOwn) {
  Svg svg(10, 10, "");
  svg.text(0, 0, "\u202Eabc", {});
  EXPECT_THAT(svg.finish(), HasSubstr("unicode-bidi=\"isolate\""));
}

}  // namespace
}  // namespace ventris::figures
