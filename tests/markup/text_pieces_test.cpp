#include "markup/text_pieces.h"

#include <gtest/gtest.h>

namespace ventris::markup {
namespace {

TEST(TextPieces, AddressesGoOnBehindBackslashes) {
  const std::string document = "see http://a.b/c\\_d now";
  const std::vector<TextPiece> pieces{{{0, 16}, "see http://a.b/c"}, {{16, 18}, "_", true}, {{18, 23}, "d now"}};
  const std::vector<text::ByteRange> found = addresses_in(document, pieces);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(document.substr(found[0].begin, found[0].end - found[0].begin), "http://a.b/c\\_d");
}

TEST(TextPieces, HaveThePartsOfTheirTexts) {
  EXPECT_EQ((TextPiece{{4, 8}, "abcd"}.part({5, 7})), "bc");
  EXPECT_EQ((TextPiece{{4, 6}, "*", true}.part({4, 6})), "*");
  EXPECT_EQ((TextPiece{{4, 9}, "&", false, true}.part({4, 9})), "&");
}

}  // namespace
}  // namespace ventris::markup
