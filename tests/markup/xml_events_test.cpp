#include "markup/xml_events.h"

#include <gtest/gtest.h>

#include "markup/markup.h"
#include "support/errors.h"

namespace ventris::markup {
namespace {

using Kind = XmlEvent::Kind;

std::string raw(const XmlDocument& xml, const XmlEvent& event) {
  return std::string(xml.source.substr(event.range.begin, event.range.end - event.range.begin));
}

TEST(ReadXml, EventsHaveTheirBytesAndTexts) {
  const std::string source = "<a>x &lt; y<b/><!-- c --></a>";
  const XmlDocument xml = read_xml(source);
  std::string texts;
  std::vector<Kind> kinds;
  for (const XmlEvent& event : xml.events) {
    texts += event.text;
    if (kinds.empty() || kinds.back() != event.kind || event.kind != Kind::kText) kinds.push_back(event.kind);
  }
  EXPECT_EQ(texts, "x < y");
  EXPECT_EQ(kinds,
            (std::vector<Kind>{Kind::kOpen, Kind::kText, Kind::kOpen, Kind::kClose, Kind::kOther, Kind::kClose}));
  EXPECT_EQ(raw(xml, xml.events.front()), "<a>");
  EXPECT_EQ(raw(xml, xml.events[xml.events.size() - 2]), "<!-- c -->");
}

TEST(ReadXml, ElementsKnowTheirParentsNamesAndTags) {
  const std::string source = "<x:a b='1' B2=\"&amp;\"><c><d/></c>text</x:a>";
  const XmlDocument xml = read_xml(source);
  ASSERT_EQ(xml.elements.size(), 4U);  // with the document itself
  EXPECT_EQ(xml.name(1), "x:a");
  EXPECT_EQ(xml.local_name(1), "a");
  EXPECT_EQ(xml.elements[3].parent, 2U);
  EXPECT_EQ(xml.elements[1].parent, 0U);
  EXPECT_TRUE(xml.is_empty_tag(3));
  EXPECT_FALSE(xml.is_empty_tag(2));
  EXPECT_EQ(xml.attribute(1, "b"), "1");
  EXPECT_EQ(xml.attribute(1, "b2"), "&amp;") << "as it is written";
  EXPECT_EQ(xml.attribute(1, "c"), "");
  EXPECT_EQ(source.substr(0, xml.end_of_tag(1)), "<x:a b='1' B2=\"&amp;\">");
  EXPECT_TRUE(xml.elements[1].has_text);
  EXPECT_FALSE(xml.elements[2].has_text);
}

TEST(ReadXml, WhiteSpaceAndCdataAreNoTextOfAnElement) {
  const std::string source = "<a> \n <b><![CDATA[x < y]]></b></a>";
  const XmlDocument xml = read_xml(source);
  EXPECT_FALSE(xml.elements[1].has_text);
  EXPECT_FALSE(xml.elements[2].has_text);
  for (const XmlEvent& event : xml.events) EXPECT_EQ(event.text.find('x'), std::string::npos);
}

TEST(ReadXml, WhatIsTranslatedIsInheritedAndKnownFromAbove) {
  const std::string source = "<a translate='no'><b><c translate='yes'>x</c></b><d/></a>";
  const XmlDocument xml = read_xml(source);
  EXPECT_FALSE(xml.elements[1].translated);
  EXPECT_TRUE(xml.elements[1].translates_inside);
  EXPECT_FALSE(xml.elements[2].translated);
  EXPECT_TRUE(xml.elements[2].translates_inside);
  EXPECT_TRUE(xml.elements[3].translated);
  EXPECT_FALSE(xml.elements[4].translated);
  EXPECT_FALSE(xml.elements[4].translates_inside);
}

TEST(ReadXml, AReferenceOfAndroidIsTheWholeTextOfItsElement) {
  const std::string source =
      "<resources><string>@string/x</string><string>@string/<b>x</b></string><string><!-- c -->@string/x</string>"
      "</resources>";
  const XmlDocument xml = read_xml(source);
  EXPECT_FALSE(xml.elements[2].translated);
  EXPECT_TRUE(xml.elements[3].translated);
  EXPECT_TRUE(xml.elements[5].translated) << "with a comment, it has more than the text";
}

TEST(ReadXml, ErrorsNameTheLine) {
  EXPECT_FAILS(read_xml("<a>\n<b>\n</a>"), MarkupError, "line 3: not well-formed XML: mismatched tag");
  EXPECT_FAILS(read_xml("<a>\n<b>\n</b><n:c d='e'>text\n"), MarkupError,
               "line 4: not well-formed XML: the file ends, but <n:c> of line 3 is still open");
  EXPECT_FAILS(read_xml(""), MarkupError, "not well-formed XML: no element found");
}

}  // namespace
}  // namespace ventris::markup
