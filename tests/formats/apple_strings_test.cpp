#include "formats/apple_strings.h"

#include <gtest/gtest.h>

#include "support/errors.h"
#include "support/written_format.h"

namespace ventris::formats {
namespace {

using markup::Markup;
using markup::MarkupError;
using Texts = std::vector<std::string>;

Texts texts(const std::string& file) { return test::format_texts(file, Markup::kStrings); }

TEST(AppleStrings, ValuesAreTexts) {
  EXPECT_EQ(texts("/* \"a\" = \"b\"; */\n\"key\" = \"One \\\"1\\\"\\n\\U00FCber\"; // "
                  "x\nkey2=\"Two\";\n\"alone\";\nbare = word;"),
            (Texts{"One \"1\"", "\u00FCber", "Two"}));
  EXPECT_TRUE(texts("").empty());
  EXPECT_TRUE(texts("// only a comment").empty());
}

TEST(AppleStrings, EverythingElseStays) {
  const std::string file = "\xEF\xBB\xBF/* c */\r\n\"k\"  =\t\"a \\U00e9 \\101\" ;\r\n";
  EXPECT_EQ(test::written_format(file, Markup::kStrings), file);
  EXPECT_EQ(test::written_format("\"k\"=\"a\";", Markup::kStrings, [](const std::string&) { return "\"\\\t\u00FC"; }),
            "\"k\"=\"\\\"\\\\\\t\u00FC\";");
}

TEST(AppleStrings, WhatIsNoStringsFileIsNamedWithItsLine) {
  const auto refused = [](const std::string& text, const std::string& message) {
    EXPECT_FAILS(texts(text), MarkupError, message);
  };
  refused("\"a\" = \"b\"\n\"c\" = \"d\";", "line 2: expected ; behind the text of line 1, found '\"c\" = \"d\";'");
  refused("\n\"a\" = \"b;\n", "line 2: the text has no quotation mark at its end");
  refused("\"a\" = ;", "line 1: expected a text in quotation marks, found ';'");
  refused("\"a\" = \"b\"", "line 1: expected ; behind the text of line 1, but the file ends");
  refused("/* a\n", "line 1: expected */ at the end of a comment");
  refused("\"a\" = \"\\U12\";", "line 1: expected four hexadecimal digits in an escape");
}

}  // namespace
}  // namespace ventris::formats
