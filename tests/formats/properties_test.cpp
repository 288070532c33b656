#include "formats/properties.h"

#include <gtest/gtest.h>

#include "support/errors.h"
#include "support/written_format.h"

namespace ventris::formats {
namespace {

using markup::Markup;
using Texts = std::vector<std::string>;

Texts texts(const std::string& file) { return test::format_texts(file, Markup::kProperties); }
std::string becomes(const std::string& file, const std::string& text) {
  return test::written_format(file, Markup::kProperties, [&](const std::string&) { return text; });
}

TEST(Properties, ValuesAreReadAsJavaReadsThem) {
  EXPECT_EQ(texts("# c\n! c\na=One\nb : Two\n  c Three\nd\\=\\ e=Four\n\nf=\ng"),
            (Texts{"One", "Two", "Three", "Four"}));
  EXPECT_EQ(texts("a=one \\\r\n   two\\\r\n\tthree\r\n"), Texts{"one twothree"});
  EXPECT_EQ(texts("a=\\u00fc \\q\\\\ \\t x"), Texts{"\u00FC q\\ \t x"});
  EXPECT_EQ(texts("a=one\\\\\nb=two"), (Texts{"one\\", "two"}));
  EXPECT_EQ(texts("a = \\\n  b\nc=d\\"), (Texts{"b", "d"}));
  EXPECT_TRUE(texts("").empty());
}

TEST(Properties, WithoutATranslationEveryByteStays) {
  const std::string file = "\xEF\xBB\xBF#\r\na = \\u00FC one \\\r\n  two  \r\n!x\r\nb:\\ c";
  EXPECT_EQ(test::written_format(file, Markup::kProperties), file);
}

TEST(Properties, TranslationsHaveTheEscapesThatTheyNeed) {
  EXPECT_EQ(becomes("a=b \\\n c\nd=1", "x\\y\tz"), "a=x\\\\y\\tz\nd=1");
  EXPECT_EQ(becomes("a=b", "\u00FC\U0001F600"), "a=\\u00fc\\ud83d\\ude00");
  EXPECT_EQ(becomes("# \u00E4\na=b", "\u00FC"), "# \u00E4\na=\u00FC") << "the file is not in ASCII";
}

TEST(Properties, ApostrophesOfPatternsAreDoubled) {
  EXPECT_EQ(texts("a=It''s {0}\nb=It''s\nc='{'x {0}"), (Texts{"It's {0}", "It's", "'{'x {0}"}));
  EXPECT_EQ(becomes("a=one {0}", "l'eau {0}"), "a=l''eau {0}");
  EXPECT_EQ(becomes("a=one", "l'eau"), "a=l'eau");
}

TEST(Properties, AnIncompleteEscapeIsNamedWithItsLine) {
  EXPECT_FAILS(texts("a=b\nc=\\u12\n"), markup::MarkupError, "line 2: expected four hexadecimal digits behind \\u");
  EXPECT_FAILS(texts("a=\\ud800"), markup::MarkupError, "line 1: expected four hexadecimal digits");
}

}  // namespace
}  // namespace ventris::formats
