#include "office/symbols.h"

#include <gtest/gtest.h>

namespace ventris::office {
namespace {

TEST(Symbols, AreCharactersForPrivateUse) {
  EXPECT_TRUE(is_symbols("\uF04A"));
  EXPECT_TRUE(is_symbols(" \uE000\U000F0000 "));
  for (const char* text : {"", " ", "a\uF04A", "\u2022", "\uFFFD", "\xff"}) EXPECT_FALSE(is_symbols(text)) << text;
}

TEST(NoBreakHyphens, AreUsualOnesForAModel) {
  EXPECT_EQ(with_usual_hyphens("a\u2011b-c \u2011"), "a-b-c -");
  EXPECT_EQ(with_usual_hyphens(""), "");
}

TEST(NoBreakHyphens, ComeBackInAllWordsIfTheSourceHasNoOthers) {
  EXPECT_EQ(with_no_break_hyphens("E-Mail - \"Foto-Druck\"", "e\u2011mail - x"), "E\u2011Mail - \"Foto\u2011Druck\"");
  EXPECT_EQ(with_no_break_hyphens("<i5-x>a-b", "e\u2011mail"), "<i5-x>a\u2011b") << "signs stay";
  EXPECT_EQ(with_no_break_hyphens("a- -b", "\u2011"), "a- -b");
  EXPECT_EQ(with_no_break_hyphens("\u00e4-\u00f6", "a\u2011b"), "\u00e4\u2011\u00f6");
}

TEST(NoBreakHyphens, ComeBackOnlyInTheirWordsIfTheSourceHasBothKinds) {
  EXPECT_EQ(with_no_break_hyphens("(e-mail), Foto-Druck", "my e\u2011mail, photo-print"), "(e\u2011mail), Foto-Druck");
  EXPECT_EQ(with_no_break_hyphens("a-b", "a-b"), "a-b");
}

}  // namespace
}  // namespace ventris::office
