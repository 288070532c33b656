#include "markup/cdata.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/in_capitals.h"

namespace ventris::markup {
namespace {

using Texts = std::vector<std::string>;

Texts texts_of_section(const std::string& content, CdataTexts kind = CdataTexts::kAny) {
  Texts texts;
  for (const Part& part : cdata_parts("<![CDATA[" + content + "]]>", {0, content.size() + 12}, kind)) {
    if (part.kind == Part::Kind::kText) texts.push_back(part.text);
  }
  return texts;
}

TEST(Cdata, HtmlInsideIsReadAsHtml) {
  EXPECT_EQ(texts_of_section("<p>A <b>dog</b> &amp; cat</p><pre>x</pre>"), (Texts{"A ", "dog", " & cat"}));
  EXPECT_EQ(texts_of_section("Tom &amp; Anna"), Texts{"Tom & Anna"});
}

TEST(Cdata, TagsOfHtmlMayHaveAttributes) {
  EXPECT_EQ(texts_of_section("Line one<br class=\"xliff-newline\" />Line two"), (Texts{"Line one", "Line two"}));
  EXPECT_EQ(texts_of_section("Dogs<br clear=\"all\"/>and<BR>cats<hr\n/>"), (Texts{"Dogs", "and", "cats"}));
  EXPECT_EQ(texts_of_section("A <B\nCLASS=x>dog</B>"), (Texts{"A ", "dog"}));
  EXPECT_EQ(texts_of_section("if a <br and c> d"), Texts{}) << "no tag";
}

TEST(Cdata, MessagesHaveSignsOfPlaceholders) {
  for (const std::string content :
       {"You have {count} new messages", "Hello {{ name }}, welcome", "Hello $name", "Price < 5", "Search => go",
        "%1$s = {0}", "{0}|{1} one apple|]1,Inf[ apples", "Terms & Conditions", "Q&A", "Type *here*", "I agree;"}) {
    EXPECT_EQ(texts_of_section(content, CdataTexts::kMessages), Texts{content});
  }
  for (const std::string content : {"a = b;", "SELECT * FROM users", "f();\nnext()", "userName", "#ff0000"}) {
    EXPECT_EQ(texts_of_section(content, CdataTexts::kMessages), Texts{}) << content;
  }
}

TEST(Cdata, TextInsideIsWrittenAsItIs) {
  EXPECT_EQ(texts_of_section("Tom & Anna, 3 or 4"), Texts{"Tom & Anna, 3 or 4"});
  EXPECT_EQ(escape_cdata("a & b < c ]]> d"), "a & b < c ]]]]><![CDATA[> d");
}

TEST(Cdata, CodeQueriesAndValuesAreKept) {
  for (const char* content :
       {"", " \n", "a = b;", "SELECT name FROM users", "function() { return 1; }", "userName", "logo.png", "a <= b",
        "https://example.org/a", "body { color: red }", "call();\nnext()", "<script>a</script>",
        "SELECT a FROM b WHERE a<b AND c>d", "foreach (var name in new List<string>()) { Write(\"good day\"); }",
        "#include <iostream>", "// a comment"}) {
    EXPECT_EQ(texts_of_section(content), Texts{}) << content;
  }
}

TEST(Cdata, TheLinesOfATextAreTextsOfTheirOwn) {
  EXPECT_EQ(texts_of_section("Dear friends\nWe write\n\nBest wishes"),
            (Texts{"Dear friends", "We write", "Best wishes"}));
  EXPECT_EQ(texts_of_section("It is late; we go. See https://example.org now."),
            Texts{"It is late; we go. See https://example.org now."});
}

TEST(Cdata, BlankLinesOfHtmlEndParagraphs) {
  EXPECT_EQ(texts_of_section("A <b>dog</b>\n\nand a cat\nhere"), (Texts{"A ", "dog", "and a cat\nhere"}));
}

TEST(Cdata, ManyTagsThatNeverEndTakeLinearTime) {
  std::string tags;
  for (int i = 0; i < 1000000; ++i) tags += "<a";
  EXPECT_EQ(texts_of_section(tags), Texts{});
}

TEST(Cdata, ADocumentKeepsItsSectionsAroundTheirTexts) {
  EXPECT_EQ(
      in_capitals("<rss><item><description><![CDATA[<p>a <b>dog</b></p>]]></description></item></rss>", Markup::kXml),
      "<rss><item><description><![CDATA[<p>A <b>DOG</b></p>]]></description></item></rss>");
  const std::string names =
      "<rss xmlns:wp=\"w\"><wp:post_name><![CDATA[the dog]]></wp:post_name><wp:status>open</wp:status>";
  EXPECT_EQ(in_capitals(names + "<wp:cat_name><![CDATA[news]]></wp:cat_name></rss>", Markup::kXml),
            names + "<wp:cat_name><![CDATA[NEWS]]></wp:cat_name></rss>");
  const std::string others = "<rss xmlns:wp=\"w\"><wp:term><wp:term_id>a</wp:term_id>";
  EXPECT_EQ(in_capitals(others + "<wp:term_name>b</wp:term_name></wp:term><dc:creator>c</dc:creator><g:condition>new"
                                 "</g:condition><g:title>d</g:title></rss>",
                        Markup::kXml),
            others +
                "<wp:term_name>B</wp:term_name></wp:term><dc:creator>c</dc:creator><g:condition>new</g:condition>"
                "<g:title>D</g:title></rss>");
  EXPECT_EQ(in_capitals("<a>one <![CDATA[two]]> three</a>", Markup::kXml), "<a>ONE <![CDATA[TWO]]> THREE</a>");
  EXPECT_EQ(in_capitals("<a translate=\"no\"><![CDATA[two]]></a>", Markup::kXml),
            "<a translate=\"no\"><![CDATA[two]]></a>");
}

TEST(Cdata, ASourceOfXliffGetsATargetWithItsSection) {
  EXPECT_EQ(
      in_capitals("<xliff version=\"1.2\"><trans-unit><source><![CDATA[a <b>dog</b>]]></source></trans-unit></xliff>",
                  Markup::kXliff),
      "<xliff version=\"1.2\"><trans-unit><source><![CDATA[a <b>dog</b>]]></source>"
      "<target><![CDATA[A <b>DOG</b>]]></target></trans-unit></xliff>");
}

TEST(Cdata, StringsOfAndroidHaveTheirBackslashes) {
  EXPECT_EQ(in_capitals("<resources><string name=\"a\"><![CDATA[It\\'s <b>a dog</b>]]></string></resources>",
                        Markup::kAndroid),
            "<resources><string name=\"a\"><![CDATA[IT\\'S <b>A DOG</b>]]></string></resources>");
  EXPECT_EQ(in_capitals("<resources><string name=\"a\"><![CDATA[It\\'s terms & conditions < \\\"a\\\"\\nb &x; "
                        "@]]></string></resources>",
                        Markup::kAndroid),
            "<resources><string name=\"a\"><![CDATA[IT\\'S TERMS & CONDITIONS < \\\"A\\\"\\nB &X; @]]></string>"
            "</resources>");
}

TEST(Cdata, SentencesWithFewSignsOfProgramsAreTexts) {
  for (const std::string text : {"We talk about dogs. See https://example.com/?a=podcast for more.",
                                 "It is a part of the post, of dogs and cats. Here a = b, says he.",
                                 "Here is the text about a dog. [gallery ids=\"1,2\"] It goes on.",
                                 "It costs $5 or $10, a good price for all of us."}) {
    EXPECT_EQ(texts_of_section(text), Texts{text});
  }
  EXPECT_EQ(texts_of_section("The first part.\n\n<!--more-->\n\nThe second part."),
            (Texts{"The first part.", "<!--more-->", "The second part."}));
  for (const std::string code :
       {"a = b. c", "if (a < b) { c = d. e }", "The dog = a. The cat = b. The bird = c.", "input[type=\"text\"]",
        "node[name=\"dog\"]/child[id=\"cat\"]", "# The main settings of the server are here.\nport = 8080"}) {
    EXPECT_EQ(texts_of_section(code), Texts{}) << code;
  }
}

TEST(Cdata, ProseIsNoCodeAndHasTheLinesOfWordPress) {
  for (const std::string title : {"Paris // Live", "Wool :: the best", "Love = Life", "Big {today} sale"}) {
    EXPECT_EQ(texts_of_section(title, CdataTexts::kProse), Texts{title});
    EXPECT_EQ(texts_of_section(title), Texts{}) << title;
  }
  EXPECT_EQ(texts_of_section("Add this line:\n\ndefine('A', true);\n\nThen save.", CdataTexts::kProse),
            (Texts{"Add this line:", "Then save."}));
  EXPECT_EQ(texts_of_section("<b>Shop</b>\n12 Main Street\nLondon", CdataTexts::kProse),
            (Texts{"Shop", "12 Main Street", "London"}));
  EXPECT_EQ(texts_of_section("<b>Shop</b><br>\n12 Main Street\nLondon", CdataTexts::kProse),
            (Texts{"Shop", "\n12 Main Street\nLondon"}));
  const std::string feed = "<rss><channel><title><![CDATA[a :: b]]></title><x><![CDATA[a :: b]]></x></channel></rss>";
  EXPECT_EQ(in_capitals(feed, Markup::kXml),
            "<rss><channel><title><![CDATA[A :: B]]></title><x><![CDATA[a :: b]]></x></channel></rss>");
}

}  // namespace
}  // namespace ventris::markup
