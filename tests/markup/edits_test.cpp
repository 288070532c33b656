#include "markup/edits.h"

#include <gtest/gtest.h>

namespace ventris::markup {
namespace {

constexpr std::string_view kDocument = "<p lang=en>one</p>";

TEST(Edits, ReplaceTheirBytes) {
  Edits edits;
  EXPECT_EQ(edits.apply(kDocument, {0, kDocument.size()}), kDocument);
  edits.add({8, 10}, "de");
  EXPECT_EQ(edits.apply(kDocument, {0, kDocument.size()}), "<p lang=de>one</p>");
  EXPECT_EQ(edits.apply(kDocument, {11, kDocument.size()}), "one</p>");
}

TEST(Edits, MayBeAddedInAnyOrder) {
  Edits edits;
  edits.add({11, 14}, "eins");
  edits.add({2, 2}, " id=x");
  edits.add({8, 10}, "");
  EXPECT_EQ(edits.apply(kDocument, {0, kDocument.size()}), "<p id=x lang=>eins</p>");
}

TEST(Edits, OfOnePlaceStayInTheOrderOfTheirCalls) {
  Edits edits;
  edits.add({2, 2}, " a=1");
  edits.add({2, 2}, " b=2");
  EXPECT_EQ(edits.apply(kDocument, {0, 2}), "<p a=1 b=2");
}

TEST(Edits, AreAppliedOnlyToARangeThatHasAllOfThem) {
  Edits edits;
  edits.add({8, 10}, "de");
  EXPECT_EQ(edits.apply(kDocument, {0, 9}), "<p lang=e");
  EXPECT_EQ(edits.apply(kDocument, {8, 10}), "de");
  EXPECT_EQ(edits.apply(kDocument, {9, 11}), "n>");
}

}  // namespace
}  // namespace ventris::markup
