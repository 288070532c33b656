#include "markup/xml_parts.h"

#include <gtest/gtest.h>

#include <map>

namespace ventris::markup {
namespace {

/// Roles by the names of elements; the pair of <o> and <c> is their attribute "id".
class NamedRoles : public XmlRoles {
 public:
  explicit NamedRoles(const XmlDocument& xml) : xml_(xml) {}
  XmlRole of(size_t element) const override {
    static const std::map<std::string_view, XmlRole> kRoles{{"i", XmlRole::kInline}, {"sup", XmlRole::kInline},
                                                            {"h", XmlRole::kHidden}, {"o", XmlRole::kOpens},
                                                            {"c", XmlRole::kCloses}, {"s", XmlRole::kAlone}};
    const auto found = kRoles.find(xml_.name(element));
    return found == kRoles.end() ? XmlRole::kBlock : found->second;
  }
  std::string_view pair(size_t element) const override { return xml_.attribute(element, "id"); }

 private:
  const XmlDocument& xml_;
};

/// The parts: "T[...]" text, "H[...]" hidden, "K[...]" kept, "([...]", ")[...]" and ".[...]" marks; the second half of
/// a pair that overlaps others is ".N[...]", where N is the place of the first half among the parts, from 1.
std::string xml_parts_of(const std::string& source) {
  const XmlDocument xml = read_xml(source);
  std::string all;
  for (const Part& part : xml_parts(xml, NamedRoles(xml), 0, xml.events.size())) {
    const std::string raw = source.substr(part.range.begin, part.range.end - part.range.begin);
    if (raw.empty()) continue;
    const std::string number = part.pair == 0 ? "" : std::to_string(part.pair);
    switch (part.kind) {
      case Part::Kind::kText: all += "T"; break;
      case Part::Kind::kHidden: all += "H"; break;
      case Part::Kind::kKept: all += "K"; break;
      case Part::Kind::kMark:
        all += (part.mark == Mark::Kind::kOpen ? "(" : part.mark == Mark::Kind::kClose ? ")" : ".") + number;
        break;
    }
    all += "[" + raw + "]";
  }
  return all;
}

TEST(XmlParts, EachRoleHasItsPart) {
  EXPECT_EQ(xml_parts_of("<a>x<i>y</i><h>z</h><s/></a>"), "K[<a>]T[x]([<i>]T[y])[</i>]H[<h>z</h>].[<s/>]K[</a>]");
  EXPECT_EQ(xml_parts_of("<a>x<i/>y</a>"), "K[<a>]T[x].[<i/>]T[y]K[</a>]") << "an empty element is a mark alone";
  EXPECT_EQ(xml_parts_of("<a>x<!-- c --><b>y</b></a>"), "K[<a>]T[x].[<!-- c -->]K[<b>]T[y]K[</b>]K[</a>]");
}

TEST(XmlParts, ANumberThatIsASignIsOnePart) {
  EXPECT_EQ(xml_parts_of("<a>x<sup>2</sup>y<sup>st</sup></a>"),
            "K[<a>]T[x]H[<sup>2</sup>]T[y]([<sup>]T[st])[</sup>]K[</a>]");
  EXPECT_EQ(xml_parts_of("<a>x<sup><i>2</i></sup></a>"), "K[<a>]T[x]H[<sup><i>2</i></sup>]K[</a>]");
  EXPECT_EQ(xml_parts_of("<a>x<sup>2<h/></sup></a>"), "K[<a>]T[x]([<sup>]T[2]H[<h/>])[</sup>]K[</a>]");
}

TEST(XmlParts, AnElementThatIsNotTranslatedIsOnePart) {
  EXPECT_EQ(xml_parts_of("<a>x<i translate='no'>y<b/></i></a>"), "K[<a>]T[x]H[<i translate='no'>y<b/></i>]K[</a>]");
  EXPECT_EQ(xml_parts_of("<a>x<b translate='no'>y</b></a>"), "K[<a>]T[x]K[<b translate='no'>y</b>]K[</a>]");
  EXPECT_EQ(xml_parts_of("<a translate='no'>x<b translate='yes'>y</b></a>"),
            "K[<a translate='no'>]K[x]K[<b translate='yes'>]T[y]K[</b>]K[</a>]");
}

TEST(XmlParts, HalvesOfAPairThatIsNestedAreItsMarks) {
  EXPECT_EQ(xml_parts_of("<a><o id='1'/>x<c id='1'/></a>"), "K[<a>]([<o id='1'/>]T[x])[<c id='1'/>]K[</a>]");
  EXPECT_EQ(xml_parts_of("<a><o id='1'/>x<c id='2'/></a>"), "K[<a>].[<o id='1'/>]T[x].[<c id='2'/>]K[</a>]");
  EXPECT_EQ(xml_parts_of("<a><o/>x<c/></a>"), "K[<a>].[<o/>]T[x].[<c/>]K[</a>]") << "without a name";
}

TEST(XmlParts, HalvesOfAPairThatOverlapsAnElementKnowEachOther) {
  EXPECT_EQ(xml_parts_of("<a><o id='1'/><i>x<c id='1'/></i></a>"),
            "K[<a>].2[<o id='1'/>]([<i>]T[x].2[<c id='1'/>])[</i>]K[</a>]");
  EXPECT_EQ(xml_parts_of("<a><i><o id='1'/>x</i><c id='1'/></a>"),
            "K[<a>]([<i>].3[<o id='1'/>]T[x])[</i>].3[<c id='1'/>]K[</a>]");
}

TEST(XmlParts, OnlyTheEventsThatAreAskedForCount) {
  const std::string source = "<a><b>x</b><b>y</b></a>";
  const XmlDocument xml = read_xml(source);
  const XmlElement& second = xml.elements[3];
  const auto parts = xml_parts(xml, NamedRoles(xml), second.begin + 1, second.end);
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(parts[0].text, "y");
  EXPECT_TRUE(xml_parts(xml, NamedRoles(xml), 3, 3).empty());
}

TEST(XmlParts, AnEntityOfTheDocumentIsAnObject) {
  EXPECT_EQ(
      xml_parts_of("<!DOCTYPE a [<!ENTITY e \"x\">]><a>b &e; c</a>").find("T[b ]H[&e;]T[ c]") != std::string::npos,
      true);
}

}  // namespace
}  // namespace ventris::markup
