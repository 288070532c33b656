#include "office/xml_tree.h"

#include <gtest/gtest.h>

namespace ventris::office {
namespace {

TEST(XmlTree, TextsHaveThoseOfElementsAndSectionsInside) {
  const std::string document = "<a>1<b>2&amp;</b><![CDATA[<3>]]><!-- 4 --><c/></a>";
  const XmlDocument xml = markup::read_xml(document);
  EXPECT_EQ(text_of(xml, 1), "12&<3>");
  std::vector<std::string> names;
  for_children(xml, 1, [&](size_t child) { names.emplace_back(xml.name(child)); });
  EXPECT_EQ(names, (std::vector<std::string>{"b", "c"}));
  EXPECT_EQ(part_of(document, content_of(xml, 2)), "2&amp;");
  EXPECT_EQ(part_of(document, range_of(xml, 3)), "<c/>");
  const ByteRange empty = content_of(xml, 3);
  EXPECT_EQ(empty.begin, empty.end);
}

}  // namespace
}  // namespace ventris::office
