#include "markup/front_matter.h"

#include <gtest/gtest.h>

#include <algorithm>
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

/// The document with spaces in the place of its settings.
std::string without_settings(std::string document) {
  for (const text::ByteRange& range : settings_of(document)) {
    std::replace_if(
        document.begin() + static_cast<int64_t>(range.begin), document.begin() + static_cast<int64_t>(range.end),
        [](char c) { return c != '\n'; }, ' ');
  }
  return document;
}

TEST(FrontMatter, OfATitleBlockOnlyTheTitleIsText) {
  EXPECT_EQ(without_settings("% A dog\n% Tom\n% May 1\n\nText"), "  A dog\n     \n       \n\nText");
  EXPECT_EQ(without_settings("% A\n  dog\n% Tom\n  Jane\nText"), "  A\n  dog\n     \n      \nText");
  EXPECT_EQ(without_settings("% A dog\n\nText"), "  A dog\n\nText");
  EXPECT_EQ(without_settings("%\r\n% Tom\r\n\r\nText"), " \r\n      \n\r\nText");
  EXPECT_EQ(without_settings("---\na: b\n---\n% A dog\n"), "   \n    \n   \n% A dog\n");
}

TEST(FrontMatter, OtherLinesWithPercentSignsAreText) {
  for (const std::string document : {"% of the dogs\nare tired.\n", "% a\n% b\n% c\n% d\n", "Text\n% A dog\n% Tom\n",
                                     "%a\n%b\n", "50 % of the dogs\n\n", ""}) {
    EXPECT_EQ(without_settings(document), document);
  }
}

/// The parts of a document that are settings.
std::vector<std::string> settings(const std::string& document) {
  std::vector<std::string> parts;
  for (const text::ByteRange& range : settings_of(document)) {
    parts.push_back(document.substr(range.begin, range.end - range.begin));
  }
  return parts;
}
using Parts = std::vector<std::string>;

TEST(FrontMatter, FieldsOfPelicanEndWithAnEmptyLine) {
  EXPECT_EQ(settings("Title: A dog\nDate: 2010-12-03\n\nText"), Parts{"Title: A dog\nDate: 2010-12-03\n"});
  EXPECT_EQ(settings("Title: A\nSummary: b\n  c\nTags: d\n\n"), Parts{"Title: A\nSummary: b\n  c\nTags: d\n"});
  for (const std::string text :
       {"Note: a dog\nWarning: b\n\n", "Date: today\n\n", "Title: A\nDate: b\nText\n\n", "Title: A\nDate: b",
        "From: Anna\nDate: Monday\nSubject: b\n\n", "Author: Jane\nTitle: b\n\n", "Title: A\nProblem: b\n\n"}) {
    EXPECT_EQ(settings(text), Parts{}) << text;
  }
}

TEST(FrontMatter, SlidesHaveSettings) {
  EXPECT_EQ(settings("---\na: b\n---\n# A\n\n---\nlayout: two\nclass: c\n---\n\n# B\n"),
            (Parts{"---\na: b\n---\n", "layout: two\nclass: c\n---\n"}));
  EXPECT_EQ(settings("class: center, middle\n\n# A\n\n---\nlayout: false\n.left["), Parts{"class: center, middle\n"});
  EXPECT_EQ(settings("# A\n\n---\nname: b\n\nText"), Parts{"name: b\n"});
  EXPECT_EQ(settings("Anna\n---\nbackground: b\n\n"), Parts{}) << "a heading";
  EXPECT_EQ(settings("\n---\nname: the dog is Rex\n\n"), Parts{});
  for (const std::string text : {"---\nname: is a word\nand more\n", "# A\nlayout: b\n", "---\n\nclass: b\n",
                                 "```\n---\nlayout: a\n---\n```\n", "---\nThe: dog\n\n"}) {
    EXPECT_EQ(settings(text), Parts{}) << text;
  }
}

}  // namespace
}  // namespace ventris::markup
