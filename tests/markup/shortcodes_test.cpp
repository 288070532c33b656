#include "markup/shortcodes.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ventris::markup {
namespace {

TEST(Shortcodes, ACodeOfWordPressHasAttributesOrEnds) {
  EXPECT_EQ(end_of_shortcode("[a-b c=\"d\"] e", 0), 11U);
  EXPECT_EQ(end_of_shortcode("[/caption]", 0), 10U);
  EXPECT_EQ(end_of_shortcode("[caption]", 0), 0U);
  EXPECT_EQ(end_of_shortcode("[caption id=\"1\"", 0), 0U);
}

TEST(Shortcodes, ACodeInBracketsBeginsIfItsEndIsInTheText) {
  const std::string text = "[b] [b=x y] [bc] [b](c) [b [/b]";
  const BracketCodes codes(text);
  EXPECT_EQ(codes.end_of_start(text, 0), 3U);
  EXPECT_EQ(codes.end_of_start(text, 4), 11U);
  for (const std::string none : {"[bc]", "[b](c)", "[b [/b]"}) EXPECT_EQ(codes.end_of_start(text, text.find(none)), 0U);
  EXPECT_EQ(BracketCodes("[b]").end_of_start("[b]", 0), 0U);
  EXPECT_EQ(BracketCodes("[a cat] [/a]").end_of_start("[a cat] [/a]", 0), 0U) << "no attributes";
  EXPECT_EQ(BracketCodes("[B]a[/B]").end_of_start("[B]a[/B]", 0), 3U);
}

TEST(Shortcodes, ThoseOfAPageStandWithTheirEnds) {
  using Strings = std::vector<std::string>;
  const auto shortcodes = [](const std::string& text, const std::string& page) {
    std::vector<std::string> found;
    for (const text::ByteRange& range : shortcodes_in(text, BracketCodes(page))) {
      found.push_back(text.substr(range.begin, range.end - range.begin));
    }
    return found;
  };
  EXPECT_EQ(shortcodes("[embed]a[/embed]", "[embed]a[/embed]"), (Strings{"[embed]", "[/embed]"}));
  EXPECT_EQ(shortcodes("[note] a", "b [/note]"), Strings{"[note]"}) << "the end is in another text";
  EXPECT_EQ(shortcodes("[vc_row][vc_column width=\"1/2\"]a", ""), (Strings{"[vc_row]", "[vc_column width=\"1/2\"]"}));
  EXPECT_EQ(shortcodes("[gallery]", ""), Strings{"[gallery]"});
  EXPECT_EQ(shortcodes("a [products limit='4'] [posts num=5] [field type='name' /]", ""),
            (Strings{"[products limit='4']", "[posts num=5]", "[field type='name' /]"}));
  EXPECT_EQ(shortcodes("see [gallery] [optional] and/or [b]c[/b] [or] [/or] [see a=b c]", "[/or]"), Strings{});
}

TEST(Shortcodes, ThoseOfCodeHaveTheirContent) {
  const auto codes = [](const std::string& document) {
    std::vector<std::string> found;
    for (const ByteRange& range : code_shortcodes(document)) {
      found.push_back(document.substr(range.begin, range.end - range.begin));
    }
    return found;
  };
  EXPECT_EQ(codes("a [code language=\"c\"]\nb\n[/code] [js]c[/js]"),
            (std::vector<std::string>{"[code language=\"c\"]\nb\n[/code]", "[js]c[/js]"}));
  for (const char* none : {"[code]a", "[[code]]a[[/code]]", "[b]a[/b]", "[code a[/code]", "[/code]", "["}) {
    EXPECT_TRUE(codes(none).empty()) << none;
  }
}

}  // namespace
}  // namespace ventris::markup
