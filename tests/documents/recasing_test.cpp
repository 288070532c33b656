#include "documents/recasing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/tiny_text.h"

namespace ventris::documents {
namespace {

/// "The", "Nobody" and "Zürich" have capitals in the text that the tokenizer has learnt; other words have none.
std::string recased(const std::string& text, Recase which = Recase::kCapitals,
                    const std::vector<std::string>& words = {}) {
  static const text::Tokenizer kTokenizer = test::tiny_tokenizer(text::TokenizerKind::kUnigram);
  const auto found = Recaser(which, kTokenizer, "en").recased(text, words);
  return found ? found->text : "unchanged";
}

TEST(Recasing, ALineInCapitalsBecomesAnOrdinarySentence) {
  EXPECT_EQ(recased("THE OLD MAN CARRIES BREAD."), "The old man carries bread.");
  EXPECT_EQ(recased("THE OLD MAN. A SMALL CHILD! \"TWO WOODEN BOATS?\" BREAD"),
            "The old man. A small child! \"Two wooden boats?\" Bread");
  EXPECT_EQ(recased("THE NEIGHBOUR’S GREEN-PAINTED BRIDGE"), "The neighbour’s green-painted bridge");
}

TEST(Recasing, WordsThatTheTokenizerKnowsWithCapitalsKeepThem) {
  EXPECT_EQ(recased("THE DRIVER LIKES ZÜRICH."), "The driver likes Zürich.");
}

TEST(Recasing, OtherLinesStay) {
  for (const char* text :
       {"The old man carries bread.", "THE OLD man", "", "   ", "123 %", "你好", "McDRIVER THE MAN"}) {
    EXPECT_EQ(recased(text), "unchanged") << text;
  }
  EXPECT_EQ(recased("THE OLD MAN", Recase::kNone), "unchanged");
}

TEST(Recasing, ASharpSIsUsualAmongCapitals) { EXPECT_EQ(recased("THE STRAßE"), "The straße"); }

TEST(Recasing, CodeAndStandInsStayAndDoNotMakeALineAnOrdinaryOne) {
  EXPECT_EQ(recased("THE OLD MAN: https://x.org/A, BREAD"), "The old man: https://x.org/A, bread");
  EXPECT_EQ(recased("THE Tom MAN", Recase::kCapitals, {"", "Tom"}), "The Tom man");
  EXPECT_EQ(recased("THE <ph1> MAN", Recase::kCapitals, {"<ph1>"}), "The <ph1> man");
}

TEST(Recasing, TitlesAreChangedOnRequest) {
  const std::string title = "The Old Man Is Waiting for a Green Umbrella in Zürich";
  EXPECT_EQ(recased(title), "unchanged");
  EXPECT_EQ(recased(title, Recase::kTitles), "The old man is waiting for a green umbrella in Zürich");
  EXPECT_EQ(recased("THE OLD MAN", Recase::kTitles), "The old man");
  EXPECT_EQ(recased("The Old-Painted Bridge Likes", Recase::kTitles), "The old-painted bridge likes");
  EXPECT_EQ(recased("The Old Man is waiting for a Green Umbrella", Recase::kTitles), "unchanged");
  EXPECT_EQ(recased("Nobody sees Zürich", Recase::kTitles), "unchanged");
}

TEST(Recasing, TheNumberOfBytesStays) {
  // U+212A, the sign for kelvin, is shorter in small letters.
  EXPECT_EQ(recased("THE OLD \u212AMAN"), "The old \u212Aman");
  for (const char* text : {"İSTANBUL THE MAN", "ẞ THE OLD MAN", "THE ΟΔΟΣ MAN"}) {
    EXPECT_EQ(recased(text).size(), std::string(text).size()) << text;
  }
}

TEST(Recasing, TurkishHasOtherSmallLettersAndStays) {
  const text::Tokenizer tokenizer = test::tiny_tokenizer(text::TokenizerKind::kBpe);
  for (const char* language : {"tr", "az", "tr-TR", "TR"}) {
    EXPECT_FALSE(Recaser(Recase::kTitles, tokenizer, language).recased("THE OLD MAN", {})) << language;
  }
  EXPECT_TRUE(Recaser(Recase::kTitles, tokenizer, "de-AT").recased("THE OLD MAN", {}));
}

TEST(Recasing, ATranslationInCapitalsKeepsCodeAndStandIns) {
  EXPECT_EQ(in_capitals("Die Straße (https://x.org/A), Tom, ist „alt“.", {"https://x.org/A", "Tom"}),
            "DIE STRASSE (https://x.org/A), Tom, IST „ALT“.");
  EXPECT_EQ(in_capitals("<ph1> Tomate", {"<ph1>", "Tom"}), "<ph1> TOMATE");
  EXPECT_EQ(in_capitals("", {}), "");
}

TEST(Recasing, SentencesComeBackAsTheyWere) {
  const Recaser recaser(Recase::kCapitals, test::tiny_tokenizer(text::TokenizerKind::kUnigram), "");
  std::vector<MaskedText> sentences(2);
  sentences[0].text = "Nobody";
  sentences[1].text = "THE OLD MAN";
  std::vector<RecasedSentence> changed = recaser.change(sentences);
  ASSERT_EQ(changed.size(), 1U);
  EXPECT_EQ(sentences[1].text, "The old man");
  std::vector<translation::Translation> translations(2);
  for (auto& one : translations) one.candidates = {{.text = "Der Mann"}, {.text = "Mann"}};
  restore_case(changed, sentences, translations);
  EXPECT_EQ(sentences[1].text, "THE OLD MAN");
  EXPECT_EQ(translations[0].text(), "Der Mann");
  EXPECT_EQ(translations[1].text(), "DER MANN");
  EXPECT_EQ(translations[1].candidates[1].text, "MANN");
}

TEST(Recasing, AnAcronymAmongLettersWithoutCaseIsNoLineInCapitals) {
  for (const char* text : {"你好 THE 你好吗我们", "مرحبا THE بالعالم", "こんにちは THE"}) {
    EXPECT_EQ(recased(text), "unchanged") << text;
  }
}

TEST(Recasing, WordsWithSmallLettersAndOrdinarySignsAreNoCode) {
  for (const char* word : {"1st", "e.g.", "Yes/No", "“good”", "*good*", "#good", "iPhone5"}) {
    EXPECT_EQ(recased(std::string(word) + " THE OLD MAN"), "unchanged") << word;
  }
  for (const char* word : {"%s", "{name}", "me@x.org", "www.x.org", "a_b"}) {
    EXPECT_EQ(recased("THE OLD MAN " + std::string(word)), "The old man " + std::string(word));
  }
}

TEST(Recasing, ASentenceBeforeATextHasTheSameLetters) {
  const Recaser recaser(Recase::kCapitals, test::tiny_tokenizer(text::TokenizerKind::kUnigram), "");
  EXPECT_EQ(recaser.context("THE OLD MAN"), "The old man");
  EXPECT_EQ(recaser.context("The OLD man"), "The OLD man");
}

TEST(Recasing, NoByteBehindAWordChanges) {
  for (const char* word : {"ẞȺ", "ȺȺ", "İI"}) {
    const std::string text = "THE " + std::string(word) + " OLD MAN";
    const std::string changed = recased(text);
    EXPECT_EQ(changed.size(), text.size()) << word;
    EXPECT_TRUE(changed.ends_with(" old man")) << changed;
  }
}

}  // namespace
}  // namespace ventris::documents
