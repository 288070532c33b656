#include "markup/xml.h"

#include <gtest/gtest.h>

#include "support/in_capitals.h"

namespace ventris::markup {
namespace {

using Texts = std::vector<std::string>;

std::string xml_in_capitals(const std::string& document, const DocumentChanges& changes = {}) {
  return in_capitals(document, Markup::kXml, changes);
}

TEST(ParseXml, AnElementIsInlineIfItsParentHasText) {
  EXPECT_EQ(parse_xml("<a>one <b>two</b></a>").blocks.size(), 1U);
  EXPECT_EQ(parse_xml("<a><b>one</b> <c>two</c></a>").blocks.size(), 2U);
  EXPECT_EQ(parse_xml("<a><b>one <c>two</c></b>\n</a>").blocks.size(), 1U);
}

TEST(ParseXml, TheLanguageIsThatOfTheRoot) {
  const DocumentChanges german{.language = "de"};
  EXPECT_EQ(xml_in_capitals("<a><b lang='en'/></a>", german), "<a xml:lang=\"de\"><b lang='en'/></a>");
  EXPECT_EQ(xml_in_capitals("<a lang='en'/>", german), "<a lang='de'/>");
  EXPECT_EQ(xml_in_capitals("<a xml:lang='en' lang='en'/>", german), "<a xml:lang='de' lang='de'/>");
}

TEST(ParseXml, AttributesAreTranslatedOnlyIfThatIsWanted) {
  const std::string document = "<a><b title='one'>two</b><c translate='no' title='three'/></a>";
  EXPECT_EQ(xml_in_capitals(document), "<a><b title='one'>TWO</b><c translate='no' title='three'/></a>");
  EXPECT_EQ(xml_in_capitals(document, {.attributes = true}),
            "<a><b title='ONE'>TWO</b><c translate='no' title='three'/></a>");
}

TEST(ParseXml, WhatIsBeforeAndBehindTheRootIsKept) {
  const std::string document = "<?xml version='1.0'?>\n<!-- one --><a>two</a>\n<!-- three -->\n";
  EXPECT_EQ(xml_in_capitals(document), "<?xml version='1.0'?>\n<!-- one --><a>TWO</a>\n<!-- three -->\n");
}

TEST(ParseXml, CodeOfDocBookAndDitaIsKept) {
  for (const std::string kept : {"<programlisting>one\n two</programlisting>", "<p>A <codeph>one</codeph></p>",
                                 "<p>A <cmdname>One</cmdname></p>"}) {
    EXPECT_EQ(xml_in_capitals("<a>" + kept + "</a>"), "<a>" + kept + "</a>") << "in any document";
  }
  const std::string screen = "<screen>one</screen><para>TWO <command>three</command></para>";
  for (const std::string head : {"<article xmlns=\"http://docbook.org/ns/docbook\">",
                                 "<!DOCTYPE article PUBLIC \"-//OASIS//DTD DocBook XML V4.5//EN\" \"x\"><article>",
                                 "<!DOCTYPE article PUBLIC \"-//OASIS//DTD DITA Topic//EN\" \"x\"><article>"}) {
    EXPECT_EQ(xml_in_capitals(head + screen + "</article>"), head + screen + "</article>");
  }
  EXPECT_EQ(xml_in_capitals("<a><screen>one</screen><option>two</option></a>"),
            "<a><screen>ONE</screen><option>TWO</option></a>");
}

TEST(ParseXml, NamesAndMonospacedLinesOfDocBookAreKept) {
  const std::string type = "<!DOCTYPE refentry PUBLIC \"-//OASIS//DTD DocBook XML V4.5//EN\" \"x\">\n";
  EXPECT_EQ(in_capitals(type + "<refentry><refname>ls</refname><para>as <systemitem>root</systemitem></para>"
                               "<literallayout class=\"monospaced\">a  b</literallayout></refentry>",
                        Markup::kXml),
            type +
                "<refentry><refname>ls</refname><para>AS <systemitem>root</systemitem></para>"
                "<literallayout class=\"monospaced\">a  b</literallayout></refentry>");
}

TEST(ParseXml, WhatProgramsReadInFeedsIsKept) {
  const std::string kept = "<language>en</language><pubDate>Mon, 6 Sep</pubDate><guid>a1</guid>";
  EXPECT_EQ(xml_in_capitals("<rss>" + kept + "<title>one</title></rss>"), "<rss>" + kept + "<title>ONE</title></rss>");
  EXPECT_EQ(xml_in_capitals("<a><language>en</language></a>"), "<a><language>EN</language></a>");
}

TEST(ParseXml, NumbersOfAQuizArePlaceholders) {
  const auto placeholders = [](const std::string& root, const std::string& text) {
    Texts found;
    const MarkedDocument document = parse_xml("<" + root + "><t>" + text + "</t></" + root + ">", Markup::kXml, {});
    for (const text::ByteRange& range : document.blocks.at(0).placeholders) {
      found.push_back(document.blocks[0].text.text.substr(range.begin, range.end - range.begin));
    }
    return found;
  };
  EXPECT_EQ(placeholders("quiz", "What is {a} + {b_1}?"), (Texts{"{a}", "{b_1}"}));
  EXPECT_EQ(placeholders("quiz", "<![CDATA[<p>What is <b>{a}</b>?</p>]]>"), Texts{"{a}"});
  EXPECT_EQ(placeholders("quiz", "Is {a word} or {} {1:SA:=x} \\frac{a}{b} x^{c} {a"), Texts{});
  EXPECT_EQ(placeholders("a", "What is {a}?"), Texts{});
}

}  // namespace
}  // namespace ventris::markup
