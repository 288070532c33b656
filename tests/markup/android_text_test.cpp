#include "markup/android_text.h"

#include <gtest/gtest.h>

#include "markup/markup.h"
#include "support/errors.h"

namespace ventris::markup {
namespace {

/// The texts of a resource file with one string.
std::vector<std::string> texts(const std::string& content) {
  std::vector<std::string> all;
  const std::string file = "<resources><string name=\"a\">" + content + "</string></resources>";
  for (const Block& block : parse_markup(file, Markup::kAndroid).blocks) all.push_back(block.text.text);
  return all;
}
using Texts = std::vector<std::string>;

TEST(AndroidText, EscapesBecomeCharacters) {
  EXPECT_EQ(texts("Don\\'t \\\"go\\\" \\@ &amp; \\u00fc"), Texts{"Don't \"go\" @ & \u00FC"});
  EXPECT_EQ(texts("a\\tb \\\\ \\u12 c\\"), Texts{"a\\tb \\\\ \\u12 c\\"});
  EXPECT_EQ(texts("One\\nTwo\\n"), (Texts{"One", "Two"}));
  EXPECT_EQ(texts("a \\uD83D\\uDE00 b"), Texts{"a \U0001F600 b"});
  EXPECT_EQ(texts("a \\uD83D b \\uDE00 \\u0000"), Texts{"a \\uD83D b \\uDE00 \\u0000"}) << "half of a pair";
  EXPECT_EQ(texts("a \\u0001 \\uFFFF \\u000a b"), Texts{"a \\u0001 \\uFFFF \n b"}) << "XML has no such characters";
}

TEST(AndroidText, EscapedSpacesAtTheEndsStayAsTheyAreWritten) {
  EXPECT_EQ(texts("\\u0020One two:\\u0020"), Texts{"One two:"});
  EXPECT_EQ(texts(" \\u0020 One <b>two</b>\\u0020\\u000a"), Texts{"One two"});
  EXPECT_EQ(texts("One\\u0020two"), Texts{"One two"});
  EXPECT_EQ(texts("<b>One</b>\\u0020two"), Texts{"One two"});
  EXPECT_EQ(texts("%1$s\\u0020"), Texts{"%1$s"});
}

TEST(AndroidText, QuotationMarksKeepWhiteSpaceAndAreNoText) {
  EXPECT_EQ(texts("\"  It's  \""), Texts{"  It's  "});
  EXPECT_EQ(texts("a \" b\" c"), Texts{"a \uFFFC b\uFFFC c"});
}

TEST(AndroidText, OnlyStringsAreTexts) {
  const std::string file =
      "<resources>\n<integer name=\"n\">5</integer><color name=\"c\">#ff0000</color><bool name=\"b\">true</bool>"
      "<dimen name=\"d\">16dp</dimen><item type=\"id\" name=\"i\">x</item><array name=\"a\"><item>y</item></array>"
      "<style name=\"s\"><item name=\"k\">bold</item></style><string name=\"y\">2024</string>"
      "<item type=\"string\" name=\"t\">one</item><string-array name=\"l\"><item>two <b>words</b></item><item>7"
      "</item></string-array><plurals name=\"p\"><item quantity=\"one\">three</item></plurals>"
      "<string name=\"z\" translatable=\"false\">zero</string><string name=\"f\">four\\n5 \\u0031\\n</string>"
      "<string name=\"g\">\"3\" <b>4</b></string>\n</resources>\n";
  const MarkedDocument document = parse_markup(file, Markup::kAndroid);
  Texts found;
  std::string written;
  for (const Block& block : document.blocks) {
    found.push_back(block.text.text);
    written += block.before + file.substr(block.range.begin, block.range.end - block.range.begin);
  }
  EXPECT_EQ(found, (Texts{"one", "two words", "three", "four"}));
  EXPECT_EQ(written + document.after, file);
}

TEST(AndroidText, WrittenTextsHaveTheEscapesAgain) {
  EXPECT_EQ(escape_android("l'eau \"a\" & <b>"), "l\\'eau \\\"a\\\" &amp; &lt;b&gt;");
  EXPECT_EQ(escape_start("?a", "<string>", Markup::kAndroid), "\\?a");
  EXPECT_EQ(escape_start("@a", "<string>", Markup::kAndroid), "\\@a");
  EXPECT_EQ(escape_start("@a", " ", Markup::kAndroid), "@a");
}

TEST(AndroidText, AnotherRootIsNamed) {
  EXPECT_FAILS(parse_markup("<!-- x -->\n<html/>", Markup::kAndroid), MarkupError,
               "line 2: expected <resources>, found <html>; give --markup xml for other XML");
  EXPECT_FAILS(parse_markup("<resources/>", Markup::kXliff), MarkupError,
               "line 1: expected <xliff>, found <resources>");
  parse_markup("<resources/>", Markup::kXml);
}

}  // namespace
}  // namespace ventris::markup
