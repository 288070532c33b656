#include "markup/apart_texts.h"

#include <gtest/gtest.h>

#include "support/in_capitals.h"

namespace ventris::markup {
namespace {

std::string whole(const MarkedDocument& document) {
  std::string text;
  for (const Block& block : document.blocks) text += block.before + block.text.text;
  return text + document.after;
}

TEST(ApartTexts, ArePutInThePlacesOfTheirSigns) {
  ApartTexts texts;
  const std::string title = texts.add({"", {"a \"b\""}}, ApartTexts::Place::kAttribute);
  const std::string inner = texts.add({"", {"c > d"}}, ApartTexts::Place::kContent);
  const std::string outer = texts.add({"", {"<e>" + inner + "</e> f"}}, ApartTexts::Place::kContent);
  MarkedDocument document{{{"<x title=\"" + title + "\">", {"g" + outer}}}, "</x>"};
  texts.append_to(document);
  EXPECT_EQ(put_apart_texts(whole(document)), "<x title=\"a &quot;b&quot;\">g<e>c > d</e> f</x>");
}

TEST(ApartTexts, SignsWithoutATextAreLeftOut) {
  EXPECT_EQ(put_apart_texts("a\xFD"
                            "5\xFD"
                            "b\xFF"),
            "ab");
  EXPECT_EQ(put_apart_texts("a\xFD"
                            "0\xFD\xFE"
                            "b\xFD"
                            "0\xFD"),
            "ab")
      << "a text is not inside itself";
}

}  // namespace
}  // namespace ventris::markup
