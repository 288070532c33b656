#include "office/usual_names.h"

#include <gtest/gtest.h>

namespace ventris::office {
namespace {

UsualNames names_of_text(const XmlDocument& xml) { return {xml, {{"text", "urn:t"}, {"office", "urn:o"}}}; }

TEST(UsualNames, DeclaredPrefixesBecomeTheUsualOnes) {
  const std::string document =
      "<X:a xmlns:X = 'urn:t' c=\"xmlns:q='urn:o'\" xmlns:o=\"urn:o\" X:b='1' o:b='2'><q:c/></X:a>";
  const std::string declared = "<q xmlns:q='urn:q'>" + document + "</q>";
  const XmlDocument xml = markup::read_xml(declared);
  const UsualNames names = names_of_text(xml);
  EXPECT_EQ(names.name(2), "text:a");
  EXPECT_EQ(names.attribute(2, "text:b"), "1");
  EXPECT_EQ(names.attribute(2, "office:b"), "2");
  EXPECT_EQ(names.attribute(2, "office:c"), "");
  EXPECT_EQ(names.name(3), "q:c") << "another vocabulary";
  EXPECT_EQ(names.written_prefix("text"), "X:");
}

TEST(UsualNames, TheDefaultNamespaceCounts) {
  const std::string document = "<a xmlns='urn:t' text:b='1' xmlns:text='urn:x'/>";
  const XmlDocument xml = markup::read_xml(document);
  const UsualNames names = names_of_text(xml);
  EXPECT_EQ(names.name(1), "text:a");
  EXPECT_EQ(names.written_prefix("text"), "") << "without a prefix";
}

TEST(UsualNames, WithoutDeclarationsNamesStay) {
  const std::string document = "<text:a text:b='1'/>";
  const XmlDocument xml = markup::read_xml(document);
  const UsualNames names = names_of_text(xml);
  EXPECT_EQ(names.name(1), "text:a");
  EXPECT_EQ(names.attribute(1, "text:b"), "1");
  EXPECT_EQ(names.written_prefix("text"), "text:");
}

}  // namespace
}  // namespace ventris::office
