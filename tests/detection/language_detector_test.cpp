#include "detection/language_detector.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace ventris::detection {
namespace {

const LanguageDetector kMany({"en", "de", "fr", "pt-BR", "ru", "he", "nb", "zh", "zh-Hant", "ja"});

TEST(LanguageDetector, ASentenceIsInTheLanguageThatItIsWrittenIn) {
  const auto language = [](const char* text) { return kMany.detect(text).language; };
  EXPECT_EQ(language("The old man reads a book under the tree."), "en");
  EXPECT_EQ(language("Der alte Mann liest unter dem Baum ein Buch."), "de");
  EXPECT_EQ(language("Le vieil homme lit un livre sous l'arbre."), "fr");
  EXPECT_EQ(language("O velho lê um livro debaixo da árvore."), "pt-BR");
  EXPECT_EQ(language("Старик читает книгу под деревом."), "ru");
  EXPECT_EQ(language("הזקן קורא ספר מתחת לעץ."), "he") << "CLD2 calls it iw";
  EXPECT_EQ(language("Den gamle mannen leser en bok under treet og drikker vann."), "nb") << "CLD2 calls it no";
  EXPECT_EQ(language("老人在树下读书，孩子们在旁边玩耍。"), "zh");
  EXPECT_EQ(language("老人在樹下讀書，孩子們在旁邊玩耍。"), "zh-Hant");
  EXPECT_EQ(language("老人が木の下で本を読んでいます。"), "ja");
}

TEST(LanguageDetector, ATextInAnotherLanguageOrInNoneIsAGuess) {
  const LanguageDetector two({"en", "de"});
  for (const char* text : {"", "12345", "!?", "\xff\xff", "老人在树下读书"}) {
    const Detected found = two.detect(text);
    EXPECT_EQ(found.language, "en") << text;
    EXPECT_EQ(found.confidence, 0) << text;
  }
}

TEST(LanguageDetector, ATextInOneLanguageIsSure) {
  const LanguageDetector two({"en", "de"});
  EXPECT_GT(two.detect("Der alte Mann liest unter dem Baum ein Buch.").confidence, 90);
}

TEST(LanguageDetector, TagsOfHtmlAreNoText) {
  const LanguageDetector two({"en", "de"});
  const std::string tags = "<p class=\"the english words of this attribute are not the text\">";
  EXPECT_EQ(two.detect(tags + "Der alte Mann liest ein Buch.</p>", /*html=*/true).language, "de");
}

TEST(LanguageDetector, ControlCharactersAndIllFormedBytesAreLikeSpaces) {
  const LanguageDetector two({"en", "de"});
  const std::string german = "Der alte Mann liest unter dem Baum ein Buch.";
  for (const std::string before : {"\xff", "\x01", "OK\x0b", "\u0085", "\uffff"}) {
    EXPECT_EQ(two.detect(before + german).language, "de") << before;
    EXPECT_GT(two.detect(before + german).confidence, 50) << before;
  }
  EXPECT_NO_THROW(two.detect(std::string(1000, '\xff')));
}

TEST(LanguageDetector, FilipinoIsTagalogThere) {
  const LanguageDetector two({"de", "fil"});
  EXPECT_EQ(two.detect("Ang matandang lalaki ay nagbabasa ng aklat sa ilalim ng puno.").language, "fil");
}

TEST(LanguageDetector, NeedsALanguage) { EXPECT_THROW(LanguageDetector({}), std::invalid_argument); }

}  // namespace
}  // namespace ventris::detection
