#include "metrics/letter_case.h"

#include <gtest/gtest.h>

#include <clocale>

namespace ventris::metrics {
namespace {

TEST(LetterCase, CapitalsFollowUnicode) {
  EXPECT_EQ(upper_case("Die Straße, 3. Stock"), "DIE STRASSE, 3. STOCK");
  EXPECT_EQ(upper_case("жёлтый ŉ ﬁ"), "ЖЁЛТЫЙ ʼN FI");
  EXPECT_EQ(upper_case("e\u0301te\u0301"), "E\u0301TE\u0301");  // marks stay with their letters
}

TEST(LetterCase, TextWithoutCaseStaysAsItIs) {
  for (const char* text : {"", "你好，世界。", "مرحبا بالعالم", "שלום", "😀 3,5", "नमस्ते"}) {
    EXPECT_EQ(upper_case(text), text);
    EXPECT_EQ(title_case(text), text);
  }
}

TEST(LetterCase, DoesNotDependOnTheLocale) {
  const char* before = std::setlocale(LC_ALL, nullptr);
  const std::string saved = before == nullptr ? "C" : before;
  std::setlocale(LC_ALL, "tr_TR.UTF-8");  // even where it is not installed, the result must be this
  EXPECT_EQ(upper_case("istanbul ırmak"), "ISTANBUL IRMAK");
  EXPECT_EQ(upper_case("İi"), "İI");
  EXPECT_EQ(title_case("istanbul"), "Istanbul");
  std::setlocale(LC_ALL, saved.c_str());
}

TEST(LetterCase, TitlesKeepTheOtherLetters) {
  EXPECT_EQ(title_case("the NATO and it's iPhone"), "The NATO And It's IPhone");
  EXPECT_EQ(title_case("ǆep \"über\" élan"), "ǅep \"Über\" Élan");
}

}  // namespace
}  // namespace ventris::metrics
