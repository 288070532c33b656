#include "markup/attribute_texts.h"

#include <gtest/gtest.h>

#include "support/in_capitals.h"

namespace ventris::markup {
namespace {

std::string attributes(const std::string& document, Markup markup = Markup::kHtml) {
  return in_capitals(document, markup, {.attributes = true});
}
std::string language(const std::string& document, Markup markup = Markup::kHtml) {
  return in_capitals(document, markup, {.language = "de-AT"});
}

TEST(AttributeTexts, TheyAreTranslatedOnRequest) {
  const std::string page =
      "<p title=\"one\">two <img alt='three &amp; four' src=\"x\"> five</p><input placeholder=six>";
  EXPECT_EQ(in_capitals(page, Markup::kHtml),
            "<p title=\"one\">TWO <img alt='three &amp; four' src=\"x\"> FIVE</p><input placeholder=six>");
  EXPECT_EQ(attributes(page),
            "<p title=\"ONE\">TWO <img alt='THREE &amp; FOUR' src=\"x\"> FIVE</p><input placeholder=\"SIX\">");
}

TEST(AttributeTexts, AllThatHaveTextAreKnown) {
  for (const std::string name : {"alt", "title", "placeholder", "aria-label", "summary", "label", "aria-description"}) {
    EXPECT_EQ(attributes("<b " + name + "=\"one\">two</b>"), "<b " + name + "=\"ONE\">TWO</b>");
    EXPECT_EQ(attributes("<x><b " + name + "=\"one\">two</b></x>", Markup::kXml),
              "<x><b " + name + "=\"ONE\">TWO</b></x>");
  }
  EXPECT_EQ(attributes("<meta name=Description content='one'><meta name=viewport content='two'>"),
            "<meta name=Description content='ONE'><meta name=viewport content='two'>");
  EXPECT_EQ(attributes("<p class='a' id='b' href='c' data-title='d'>e</p><link title='f'>"),
            "<p class='a' id='b' href='c' data-title='d'>E</p><link title='f'>");
}

TEST(AttributeTexts, ValuesThatProgramsReadStay) {
  EXPECT_EQ(attributes("<span title=\"2024-01-01T00:00:00\">one</span>"),
            "<span title=\"2024-01-01T00:00:00\">ONE</span>");
}

TEST(AttributeTexts, QuotationMarksInATranslationAreEscaped) {
  EXPECT_EQ(attributes("<p title='&quot;a&#39;'>"), "<p title='\"A&#39;'>");
  EXPECT_EQ(attributes("<p title=\"&quot;a'\">"), "<p title=\"&quot;A'\">");
  EXPECT_EQ(attributes("<p title=a&lt;b>"), "<p title=\"A&lt;B\">");
}

TEST(AttributeTexts, WhatIsNotTranslatedKeepsThem) {
  const std::string page =
      "<p translate=no title='a'>b</p><code title='c'>d</code><script>'<p title=\"x\">'</script><img translate=no "
      "alt=e>";
  EXPECT_EQ(attributes(page), page);
  const std::string xml = "<!DOCTYPE a [<!ENTITY x 'y'>]><a><p translate='no' title='b'>c</p><q title='d &x;'/></a>";
  EXPECT_EQ(attributes(xml, Markup::kXml), xml);
}

TEST(AttributeTexts, ThoseOfNumbersThatAreSignsAreTranslated) {
  EXPECT_EQ(attributes("<p>see <a href=x title='one'>#83</a> now</p>"), "<p>SEE <a href=x title='ONE'>#83</a> NOW</p>");
  EXPECT_EQ(attributes("<p>see<sup title=one>2</sup> now</p>"), "<p>SEE<sup title=\"ONE\">2</sup> NOW</p>");
  EXPECT_EQ(attributes("<p>see <a title='one'><img alt='two'><b title='three'>#83</b></a></p>"),
            "<p>SEE <a title='ONE'><img alt='TWO'><b title='THREE'>#83</b></a></p>");
  const std::string page =
      "<p>see <a translate=no title='one'>#83</a> <span translate=no><a title='two'>#83</a></span></p>";
  EXPECT_EQ(attributes(page), "<p>SEE" + page.substr(6));
}

TEST(AttributeTexts, ThoseOfFieldsFramesAndDrawingsAreTranslated) {
  EXPECT_EQ(attributes("<p>a</p><textarea placeholder='one'>two</textarea>"),
            "<p>A</p><textarea placeholder='ONE'>two</textarea>");
  EXPECT_EQ(attributes("<iframe title='one' src='x'></iframe>"), "<iframe title='ONE' src='x'></iframe>");
  EXPECT_EQ(attributes("<p>a <svg aria-label='one'><text>two</text></svg></p>"),
            "<p>A <svg aria-label='ONE'><text>two</text></svg></p>");
}

TEST(AttributeTexts, TheValueOfAButtonIsItsText) {
  for (const std::string type : {"submit", "BUTTON", "reset"}) {
    EXPECT_EQ(attributes("<input type=" + type + " value='one'>"), "<input type=" + type + " value='ONE'>");
  }
  for (const std::string page :
       {"<input value='one'>", "<input type=text value='one'>", "<button value='one'></button>"}) {
    EXPECT_EQ(attributes(page), page);
  }
}

TEST(AttributeTexts, ALongOneIsABlockWithItsLine) {
  const auto blocks =
      parse_markup("<p>\n\n<img\nalt='One.\nTwo.'> three</p>", Markup::kHtml, {.attributes = true}).blocks;
  ASSERT_EQ(blocks.size(), 2U);
  EXPECT_EQ(blocks[1].text.text, "One. Two.");
  EXPECT_EQ(blocks[1].line, 4);
}

TEST(AttributeTexts, BlocksBehindThemKeepTheirLines) {
  const auto blocks = parse_markup("<p title='a\nb'>one</p>\n<p>two</p>", Markup::kHtml, {.attributes = true}).blocks;
  ASSERT_EQ(blocks.size(), 3U);
  EXPECT_EQ(blocks[0].line, 2);
  EXPECT_EQ(blocks[1].line, 3);
}

TEST(AttributeTexts, TheLanguageIsThatOfTheRoot) {
  EXPECT_EQ(language("<!doctype html><html lang=\"en\"><p lang=fr>a"),
            "<!doctype html><html lang=\"de-AT\"><p lang=fr>A");
  EXPECT_EQ(language("<html>a"), "<html lang=\"de-AT\">A");
  EXPECT_EQ(language("<html lang=en class=x>a"), "<html lang=\"de-AT\" class=x>A");
  EXPECT_EQ(language("<html lang>a"), "<html lang=\"de-AT\">A");
  EXPECT_EQ(language("<html xml:lang='en' lang='en'>a"), "<html xml:lang='de-AT' lang='de-AT'>A");
  EXPECT_EQ(language("<p>a</p>"), "<p>A</p>");
  EXPECT_EQ(language("<?xml version='1.0'?><d xml:lang='en'><p xml:lang='fr'>a</p></d>", Markup::kXml),
            "<?xml version='1.0'?><d xml:lang='de-AT'><p xml:lang='fr'>A</p></d>");
  EXPECT_EQ(language("<_d/>", Markup::kXml), "<_d xml:lang=\"de-AT\"/>");
}

TEST(AttributeTexts, WithTheLanguageTheOrderOfAttributesStays) {
  EXPECT_EQ(in_capitals("<html title='a' lang='en'><p title='b'>", Markup::kHtml, {true, "de"}),
            "<html title='A' lang='de'><p title='B'>");
}

}  // namespace
}  // namespace ventris::markup
