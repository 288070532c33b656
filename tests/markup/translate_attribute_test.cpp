#include <gtest/gtest.h>

#include "support/in_capitals.h"

namespace ventris::markup {
namespace {

TEST(TranslateAttribute, AnElementOfXmlWithNoStays) {
  EXPECT_EQ(in_capitals("<a><p translate=\"no\">one</p><p>two</p><p translate='no'/></a>", Markup::kXml),
            "<a><p translate=\"no\">one</p><p>TWO</p><p translate='no'/></a>");
  EXPECT_EQ(in_capitals("<a>one <b translate=\"no\">two <c>three</c></b> four</a>", Markup::kXml),
            "<a>ONE <b translate=\"no\">two <c>three</c></b> FOUR</a>");
  EXPECT_EQ(in_capitals("<a translate='no'>one<p>two</p></a>", Markup::kXml), "<a translate='no'>one<p>two</p></a>");
}

TEST(TranslateAttribute, InsideASentenceOfXmlItIsAnObject) {
  const auto blocks = parse_markup("<a>one <b translate=\"no\">two</b> three</a>", Markup::kXml).blocks;
  ASSERT_EQ(blocks.size(), 1U);
  EXPECT_EQ(blocks[0].text.text, "one \uFFFC three");
  EXPECT_EQ(blocks[0].text.objects[0].raw, "<b translate=\"no\">two</b>");
}

TEST(TranslateAttribute, YesInsideNoTurnsTranslationOnAgain) {
  const std::string xml =
      "<a translate='no'>one<p translate='yes'>two <b>three</b><c translate='no'>four</c></p>five</a>";
  EXPECT_EQ(in_capitals(xml, Markup::kXml),
            "<a translate='no'>one<p translate='yes'>TWO <b>THREE</b><c translate='no'>four</c></p>five</a>");
  const std::string html =
      "<div translate=no>one <b>two</b><p translate=yes>three <b>four</b> <i "
      "translate=no>five</i></p>six</div><p>seven";
  EXPECT_EQ(in_capitals(html, Markup::kHtml),
            "<div translate=no>one <b>two</b><p translate=yes>THREE <b>FOUR</b> <i translate=no>five</i></p>six</div>"
            "<p>SEVEN");
  EXPECT_EQ(in_capitals("<p>a <b translate=no>b <i translate>c</i> d</b> e</p>", Markup::kHtml),
            "<p>A <b translate=no>b <i translate>C</i> d</b> E</p>");
}

TEST(TranslateAttribute, TheClassNotranslateMeansNo) {
  const std::string html = "<p>one <b class='x notranslate'>two</b></p><p class=notranslate translate=yes>three</p>";
  EXPECT_EQ(in_capitals(html, Markup::kHtml),
            "<p>ONE <b class='x notranslate'>two</b></p><p class=notranslate translate=yes>three</p>");
  EXPECT_EQ(in_capitals("<a><p class=\"notranslate\">one</p>two</a>", Markup::kXml),
            "<a><p class=\"notranslate\">one</p>TWO</a>");
  EXPECT_EQ(in_capitals("one <b class=notranslate>two</b>\n", Markup::kMarkdown), "ONE <b class=notranslate>two</b>\n");
  EXPECT_EQ(in_capitals("<p class='notranslates x-notranslate'>one</p>", Markup::kHtml),
            "<p class='notranslates x-notranslate'>ONE</p>");
}

TEST(TranslateAttribute, OtherWordsAreNeither) {
  EXPECT_EQ(in_capitals("<a translate='maybe'>one</a>", Markup::kXml), "<a translate='maybe'>ONE</a>");
  EXPECT_EQ(in_capitals("<p translate=maybe>one</p>", Markup::kHtml), "<p translate=maybe>ONE</p>");
}

TEST(TranslateAttribute, ThatOfItsIsFoundUnderAnyPrefixOfItsNamespace) {
  EXPECT_EQ(in_capitals("<a xmlns:its=\"http://www.w3.org/2005/11/its\"><p its:translate=\"no\">one</p>two</a>",
                        Markup::kXml),
            "<a xmlns:its=\"http://www.w3.org/2005/11/its\"><p its:translate=\"no\">one</p>TWO</a>");
  EXPECT_EQ(in_capitals("<a i:translate=\"no\" xmlns:i=\"http://www.w3.org/2005/11/its\">one</a>", Markup::kXml),
            "<a i:translate=\"no\" xmlns:i=\"http://www.w3.org/2005/11/its\">one</a>");
  EXPECT_EQ(in_capitals("<a i:translate=\"no\" xmlns:i=\"urn:x\">one</a>", Markup::kXml),
            "<a i:translate=\"no\" xmlns:i=\"urn:x\">ONE</a>");
}

TEST(TranslateAttribute, StringsOfAndroidCanBeUntranslatable) {
  const std::string strings =
      "<resources>\n  <string name=\"a\" translatable=\"false\">one</string>\n  <string name=\"b\">two "
      "<xliff:g id=\"x\">three</xliff:g></string>\n</resources>\n";
  EXPECT_EQ(in_capitals(strings, Markup::kXml),
            "<resources>\n  <string name=\"a\" translatable=\"false\">one</string>\n  <string name=\"b\">TWO "
            "<xliff:g id=\"x\">three</xliff:g></string>\n</resources>\n");
}

TEST(TranslateAttribute, ReferencesInResourcesOfAndroidStay) {
  for (const std::string text :
       {"@string/app_name", "@android:string/ok", "?attr/color", "?android:attr/text", "?android:textColor", "@null",
        "@empty", "@+id/view", "@*android:string/x", "\n  @string/x \n", "&#64;string/x"}) {
    const std::string strings = "<resources><string name=\"a\">" + text + "</string><array name=\"b\"><item>" + text +
                                "</item><item>one</item></array></resources>";
    std::string expected = strings;
    EXPECT_EQ(in_capitals(strings, Markup::kXml), expected.replace(expected.find("one"), 3, "ONE"));
    const std::string other = "<a>" + text + "</a>";
    EXPECT_NE(in_capitals(other, Markup::kXml), other) << "in other documents, it is text";
  }
  for (const std::string text : {"see @string/a", "@string/a b", "\\@string/a", "@name", "? really", "?!", "@string/",
                                 "a@b.c", "@string/<b>a</b>", "?x/y"}) {
    const std::string strings = "<resources><string name=\"a\">" + text + "</string></resources>";
    EXPECT_NE(in_capitals(strings, Markup::kXml) == strings,
              text.find_first_of("abcdefghijklmnopqrstuvwxyz") != std::string::npos)
        << text;
  }
}

TEST(TranslateAttribute, ElementsOfCodeStayInXmlAsInHtml) {
  EXPECT_EQ(in_capitals("<a><p>one <code>two</code> three</p><pre>four</pre><h:kbd>five</h:kbd></a>", Markup::kXml),
            "<a><p>ONE <code>two</code> THREE</p><pre>four</pre><h:kbd>five</h:kbd></a>");
  EXPECT_EQ(in_capitals("<svg><text>one</text><math>two</math></svg>", Markup::kXml),
            "<svg><text>ONE</text><math>two</math></svg>");
  EXPECT_EQ(in_capitals("<a><code translate='yes'>one</code></a>", Markup::kXml),
            "<a><code translate='yes'>ONE</code></a>");
}

TEST(TranslateAttribute, DeepAlternationTakesLinearTime) {
  std::string page, ends;
  for (int i = 0; i < 100'000; ++i) {
    page += i % 2 == 0 ? "<div translate=no>a" : i % 3 == 0 ? "<div translate=yes>b" : "<div translate=no>c";
    ends += "</div>";
  }
  page += ends;
  EXPECT_EQ(in_capitals(page, Markup::kHtml).size(), page.size());
}

}  // namespace
}  // namespace ventris::markup
