#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>

#include "documents/document_translator.h"
#include "support/document_run.h"

/// Whole documents of Markdown whose words become capitals, in the same order.
namespace ventris::documents {
namespace {

std::string capitals_of(const std::string& document, DocumentOptions options = {}) {
  options.markup = Markup::kMarkdown;
  options.split_sentences = true;
  const auto change = [](std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
  };
  return test::change_document(document, options, change, test::WordOrder::kSame).answer.translation.text();
}

TEST(MarkdownTranslation, EmphasisHasThePunctuationThatItHadInTheSource) {
  EXPECT_EQ(capitals_of("**Note:** a dog"), "**NOTE:** A DOG");
  EXPECT_EQ(capitals_of("**Note**: a dog"), "**NOTE**: A DOG");
  EXPECT_EQ(capitals_of("what it _does..._"), "WHAT IT _DOES..._");
  EXPECT_EQ(capitals_of("a _(short)_ dog"), "A _(SHORT)_ DOG");
  EXPECT_EQ(capitals_of("**--all**, **-a**"), "**--ALL**, **-A**");
  EXPECT_EQ(capitals_of("a *$shell* or **+x**"), "A *$SHELL* OR **+X**");
  EXPECT_EQ(capitals_of("the _\"big\"_ dog"), "THE _\"BIG\"_ DOG");
}

TEST(MarkdownTranslation, EmphasisBeginsAndEndsInsideWordsWithTheSamePunctuation) {
  EXPECT_EQ(capitals_of("*owner*:*group*"), "*OWNER*:*GROUP*");
  EXPECT_EQ(capitals_of("**open**(_file_, _mode_)"), "**OPEN**(_FILE_, _MODE_)");
}

TEST(MarkdownTranslation, EmphasisThatWouldBeTextEndsAtLetters) {
  const std::string text = capitals_of("the **dog.**barks");
  EXPECT_EQ(text.find("**dog.**"), std::string::npos) << text;
}

TEST(MarkdownTranslation, ObjectsStayInTheirBrackets) {
  EXPECT_EQ(capitals_of("a dog (`x`) runs"), "A DOG (`x`) RUNS");
  EXPECT_EQ(capitals_of("a \"`x`\" runs"), "A \"`x`\" RUNS");
}

TEST(MarkdownTranslation, BlocksOfHtmlAreTranslatedWithTheirOwnEscapes) {
  EXPECT_EQ(capitals_of("<details>\n<summary>a <b>dog</b> &amp; more</summary>\n\nthe *end*\n\n</details>\n"),
            "<details>\n<summary>A <b>DOG</b> &amp; MORE</summary>\n\nTHE *END*\n\n</details>\n");
  EXPECT_EQ(capitals_of("<p align=\"center\">\n  a_b dog # 1\n</p>\n"), "<p align=\"center\">\n  A_B DOG # 1\n</p>\n")
      << "signs of Markdown are text there";
  EXPECT_EQ(capitals_of("<div>\n<!-- note --><pre>ls</pre>\na dog\n</div>\n"),
            "<div>\n<!-- note --><pre>ls</pre>\nA DOG\n</div>\n");
}

TEST(MarkdownTranslation, AddressesAndNamesInBlocksOfHtmlStay) {
  EXPECT_EQ(capitals_of("<h1>:rocket: my project</h1>\n"), "<h1>:rocket: MY PROJECT</h1>\n");
  const std::string text = capitals_of("<p>by @tom at https://a.b/c now</p>\n");
  for (const char* part : {"<p>BY ", "@tom", "https://a.b/c", " NOW</p>\n"})
    EXPECT_THAT(text, testing::HasSubstr(part));
}

TEST(MarkdownTranslation, DescriptionsOfImagesAndTitlesAreTranslatedOnRequest) {
  const std::string document = "![a red dog](d \"two dogs\")\n\n![a red dog][]\n\n[it](u 'is so')\n\n[a red dog]: v\n";
  EXPECT_EQ(capitals_of(document),
            "![a red dog](d \"two dogs\")\n\n![a red dog][]\n\n[IT](u 'is so')\n\n[a red dog]: v\n");
  EXPECT_EQ(capitals_of(document, {.changes = {.attributes = true}}),
            "![A RED DOG](d \"TWO DOGS\")\n\n![A RED DOG][a red dog]\n\n[IT](u 'IS SO')\n\n[a red dog]: v\n");
}

TEST(MarkdownTranslation, ValuesOfChosenKeysOfFrontMatterAreTranslated) {
  const std::string document =
      "---\ntitle: a dog\nlayout: page\nabout: >\n  One dog.\n  Two {name}.\n---\n\nA dog.\n\n![red](a)\n";
  EXPECT_EQ(capitals_of(document), document.substr(0, document.find("A dog.")) + "A DOG.\n\n![red](a)\n");
  EXPECT_EQ(capitals_of(document, {.changes = {.attributes = true}, .format = {.keys = "title,about"}}),
            "---\ntitle: A DOG\nlayout: page\nabout: >\n  ONE DOG. TWO {name}.\n---\n\nA DOG.\n\n![RED](a)\n");
  const std::string code = "---\ntitle: {{ a }} dog\n{% if b %}\n---\n\nA DOG.\n";
  EXPECT_EQ(capitals_of(code, {.format = {.keys = "title"}}), code) << "it is no YAML";
}

TEST(MarkdownTranslation, AuthorsAndDateOfATitleBlockStay) {
  EXPECT_EQ(capitals_of("% My title\n% Tom Smith; Jane\n% May 1\n\nA dog.\n"),
            "% MY TITLE\n% Tom Smith; Jane\n% May 1\n\nA DOG.\n");
  EXPECT_EQ(capitals_of("% 1. of May\n\nA dog.\n"), "% 1. OF MAY\n\nA DOG.\n");
}

TEST(MarkdownTranslation, VariablesOfAShellDoNotMakeAFormula) {
  EXPECT_EQ(capitals_of("Use ${A\\_DIR}/b. If not set, it is /run/$ID and more"),
            "USE ${A_DIR}/B. IF NOT SET, IT IS /RUN/$ID AND MORE");
}

TEST(MarkdownTranslation, RaisedEndsOfWordsLoseTheirTagsAndIndicesKeepThem) {
  EXPECT_EQ(capitals_of("the 19<sup>th</sup> century"), "THE 19TH CENTURY");
  EXPECT_EQ(capitals_of("1<sup class=\"o\">st</sup> of May"), "1ST OF MAY");
  EXPECT_EQ(capitals_of("our brand<sup>TM</sup> sells"), "OUR BRAND<sup>TM</sup> SELLS");
  EXPECT_THAT(capitals_of("the x<sub>ij</sub> is small"), testing::HasSubstr(" x<sub>ij</sub> IS SMALL"));
  EXPECT_THAT(capitals_of("drink H~2~O now"), testing::HasSubstr(" H~2~O NOW"));
}

}  // namespace
}  // namespace ventris::documents
