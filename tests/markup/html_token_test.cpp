#include "markup/html_token.h"

#include <gtest/gtest.h>

namespace ventris::markup {
namespace {

using Texts = std::vector<std::string>;
using TokenKind = HtmlToken::Kind;

/// The tokens of a document, each with a letter for its kind.
Texts tokens(const std::string& document) {
  Texts all;
  for (size_t at = 0; at < document.size();) {
    const HtmlToken token = html_token(document, at);
    EXPECT_EQ(token.range.begin, at);
    EXPECT_GT(token.range.end, at);
    all.push_back(std::string(1, "tse!dc"[static_cast<int>(token.kind)]) + ":" +
                  document.substr(at, token.range.end - at));
    at = token.range.end;
    if (token.kind != TokenKind::kStartTag) continue;
    const size_t end = end_of_raw_text(document, at, token.name);
    if (end > at) all.push_back("r:" + document.substr(at, end - at));
    at = end;
  }
  return all;
}

TEST(HtmlToken, ADocumentIsTextTagsAndComments) {
  EXPECT_EQ(tokens("<!DOCTYPE html><p class=x>a <b>c</b>"),
            (Texts{"d:<!DOCTYPE html>", "s:<p class=x>", "t:a ", "s:<b>", "t:c", "e:</b>"}));
  EXPECT_EQ(tokens("a < b <3 </ c> <!-- d > e --> <?php f ?>g</>"),
            (Texts{"t:a < b <3 ", "!:</ c>", "t: ", "!:<!-- d > e -->", "t: ", "!:<?php f ?>", "t:g", "!:</>"}));
  EXPECT_EQ(tokens("<!-->a<!--->b<!-- --!>c<!-- "),
            (Texts{"!:<!-->", "t:a", "!:<!--->", "t:b", "!:<!-- --!>", "t:c", "!:<!-- "}));
}

TEST(HtmlToken, ASignInAnAttributeEndsNoTag) {
  EXPECT_EQ(tokens("<a title='</a>' b=\">\" c=d/e>x"), (Texts{"s:<a title='</a>' b=\">\" c=d/e>", "t:x"}));
  EXPECT_EQ(tokens("<a b= >x<a =\">y<a b=c\"d>z"),
            (Texts{"s:<a b= >", "t:x", "s:<a =\">", "t:y", "s:<a b=c\"d>", "t:z"}));
  EXPECT_EQ(tokens("x<a b='"), (Texts{"t:x", "c:<a b='"}));
  EXPECT_EQ(tokens("x<a"), (Texts{"t:x", "c:<a"}));
}

TEST(HtmlToken, ATagHasItsNameAndWhatItSaysOfItsContent) {
  const HtmlToken tag = html_token("<BR Class=x />", 0);
  EXPECT_EQ(tag.name, "br");
  EXPECT_TRUE(tag.self_closing);
  EXPECT_FALSE(tag.untranslated);
  EXPECT_FALSE(html_token("<b a=/>", 0).self_closing);
  EXPECT_TRUE(html_token("<b Translate=NO>", 0).untranslated);
  EXPECT_FALSE(html_token("<b translate=yes translate=no>", 0).untranslated) << "the first counts";
  EXPECT_TRUE(html_token("<template #a>", 0).translated) << "Vue shows it";
  EXPECT_TRUE(html_token("<template v-if='a'>", 0).translated);
  EXPECT_FALSE(html_token("<template id=a>", 0).translated);
  EXPECT_FALSE(html_token("<template slotted>", 0).translated);
  EXPECT_TRUE(html_token("<ac:parameter ac:name=\"title\">", 0).translated);
  EXPECT_FALSE(html_token("<ac:parameter ac:name=\"language\">", 0).translated);
  EXPECT_FALSE(html_token("<pre v-if='a'>", 0).translated);
  EXPECT_FALSE(html_token("<b data-translate='no' title=\"translate=no\">", 0).untranslated);
}

TEST(HtmlToken, SomeElementsHaveOnlyText) {
  EXPECT_EQ(tokens("<title>a <b> </titles> c</TITLE >d"),
            (Texts{"s:<title>", "r:a <b> </titles> c", "e:</TITLE >", "t:d"}));
  EXPECT_EQ(tokens("<style>a</b>"), (Texts{"s:<style>", "r:a</b>"}));
  EXPECT_EQ(tokens("<script>'<!--' <script> </script> --></script>x"),
            (Texts{"s:<script>", "r:'<!--' <script> </script> -->", "e:</script>", "t:x"}));
  EXPECT_EQ(tokens("<script><!--> </script>x"), (Texts{"s:<script>", "r:<!--> ", "e:</script>", "t:x"}));
  EXPECT_EQ(tokens("<plaintext>a</plaintext>"), (Texts{"s:<plaintext>", "r:a</plaintext>"}));
}

TEST(Attribute, IsTheFirstWithItsName) {
  const std::string tag = "<a A = 'b c' d e=f>";
  const HtmlToken token = html_token(tag, 0);
  const auto value = [&](const char* name) {
    const auto found = attribute(tag, token, name);
    return found ? tag.substr(found->begin, found->end - found->begin) : "none";
  };
  EXPECT_EQ(value("a"), "b c");
  EXPECT_EQ(value("d"), "");
  EXPECT_EQ(value("e"), "f");
  EXPECT_EQ(value("b"), "none");
}

TEST(IsVoidElement, OfElementsWithoutEndTag) {
  EXPECT_TRUE(is_void_element("img"));
  EXPECT_FALSE(is_void_element("b"));
}

TEST(HtmlToken, SignaturesOfDocumentationAreNotTranslated) {
  for (const std::string classes : {"sig sig-object py", "sig-name descname", "memtitle", "memproto", "memItemLeft",
                                    "member-signature", "type-signature", "tsd-signature"}) {
    EXPECT_TRUE(html_token("<div class=\"" + classes + "\">", 0).untranslated) << classes;
  }
  EXPECT_TRUE(html_token("<div class=\"fragment\"><div class=\"line\">", 0).untranslated);
  EXPECT_FALSE(html_token("<p class=\"fragment\">The dog", 0).untranslated);
  EXPECT_FALSE(html_token("<p class=\"signature\">", 0).untranslated);
  EXPECT_TRUE(html_token("<h4 class=\"code-header\">", 0).untranslated);
  EXPECT_FALSE(html_token("<div class=\"code-header\">", 0).untranslated) << "the bar above some code";
}

}  // namespace
}  // namespace ventris::markup
