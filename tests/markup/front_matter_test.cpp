#include "markup/front_matter.h"

#include <gtest/gtest.h>

#include <string>

namespace ventris::markup {
namespace {

/// What is behind the settings.
std::string behind(const std::string& document) { return document.substr(size_of_front_matter(document)); }

TEST(FrontMatter, SettingsOfAllKindsAreFound) {
  EXPECT_EQ(behind("---\ntitle: x\nlist:\n- a\n  b\n# note\n\n---\nText\n"), "Text\n");
  EXPECT_EQ(behind("---\ntitle: x\n...\nText\n"), "Text\n");
  EXPECT_EQ(behind("--- \ntitle: x\n---\t\nText\n"), "Text\n");
  EXPECT_EQ(behind("---\r\ntitle: x\r\n---\r\nText\r\n"), "Text\r\n");
  EXPECT_EQ(behind("+++\na = 1\n+++\nText\n"), "Text\n");
  EXPECT_EQ(behind("{\n \"a\": {\n  }\n}\nText\n"), "Text\n");
  EXPECT_EQ(behind("---\nog:title: a\nb:\tc\n---\nText"), "Text");
  EXPECT_EQ(behind("---\n---\nText"), "Text");
  EXPECT_EQ(behind("---\n# note\n{{ card }}\n{% if x %}\na: b\n{% endif %}\n---\nText"), "Text");
  EXPECT_EQ(behind("---\na: b\n---"), "");
}

TEST(FrontMatter, ALineOfMarkdownIsNone) {
  for (const std::string document :
       {"---\nThey were tired.\n\n---\n", "---\n\ntext\n", "---\na: b\n", "---\n{{ name }} is good.\n---\n",
        "text\n---\na: b\n---\n", "----\na: b\n----\n", "{ text }\n", "{\ntext\n", ""}) {
    EXPECT_EQ(behind(document), document);
  }
}

}  // namespace
}  // namespace ventris::markup
