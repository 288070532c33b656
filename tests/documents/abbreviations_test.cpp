#include "documents/abbreviations.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/errors.h"

namespace ventris::documents {
namespace {

TEST(Abbreviations, AreThoseOfTheLanguage) {
  const Abbreviations english("en"), german("de-AT"), other("sw");
  EXPECT_TRUE(english.ends("We met Prof."));
  EXPECT_TRUE(english.ends("(Mr."));
  EXPECT_FALSE(english.ends("We saw the app."));  // ICU has "pp."
  EXPECT_FALSE(english.ends("We met"));
  EXPECT_TRUE(german.ends("bzw. z.B."));
  EXPECT_FALSE(english.ends("z.Hd."));
  EXPECT_FALSE(other.ends("Prof."));
}

TEST(Abbreviations, ASingleLetterIsAnInitialInEveryLanguage) {
  for (const char* language : {"", "en", "de", "sw"}) {
    EXPECT_TRUE(Abbreviations(language).ends("J.")) << language;
    EXPECT_TRUE(Abbreviations(language).ends("Ida \u00c5.")) << language;
  }
}

TEST(Abbreviations, OrdinalNumbersHaveAFullStopInSomeLanguages) {
  EXPECT_TRUE(Abbreviations("de").ends("am 3."));
  EXPECT_FALSE(Abbreviations("de").ends("seit 1990."));
  EXPECT_FALSE(Abbreviations("en").ends("at 3."));
}

TEST(Abbreviations, SomeConsonantsAreAnAbbreviationInEveryLanguage) {
  for (const char* language : {"", "en", "de", "sw"}) {
    const Abbreviations abbreviations(language);
    for (const char* text : {"Mr.", "St.", "bzw.", "J.P.", "z.B."}) EXPECT_TRUE(abbreviations.ends(text)) << text;
    for (const char* text : {"Hmm.", "BBC.", "Why.", "12.50.", "...", "?."})
      EXPECT_FALSE(abbreviations.ends(text)) << text;
  }
}

TEST(Abbreviations, WithoutALanguageTheyAreNoWordInAnyLanguage) {
  const Abbreviations unknown("");
  EXPECT_TRUE(unknown.ends("Mr."));
  EXPECT_TRUE(unknown.ends("Ph.D."));
  EXPECT_FALSE(unknown.ends("Here I am."));  // German has "am."
  EXPECT_FALSE(unknown.ends("am 3."));
}

TEST(Abbreviations, SomeCanBeTheLastWordOfASentence) {
  const Abbreviations english("en"), german("de"), russian("ru");
  EXPECT_TRUE(english.ends("the U.S.", "Army"));
  EXPECT_FALSE(english.ends("the U.S.", "She does"));
  EXPECT_FALSE(english.ends("at 5 p.m.", "She left"));
  EXPECT_TRUE(english.ends("Mr.", "He"));
  EXPECT_FALSE(english.ends("plan B.", "The other"));
  EXPECT_TRUE(english.ends("J. B.", "Smith"));
  EXPECT_TRUE(german.ends("z. B.", "Die"));
  EXPECT_FALSE(german.ends("am 3.", "Er ging"));
  EXPECT_FALSE(german.ends("500 v. Chr.", "Die Stadt"));
  EXPECT_TRUE(german.ends("der II.", "Weltkrieg"));
  EXPECT_FALSE(russian.ends("\u0432 1990 \u0433.", "\u041e\u043d"));
  EXPECT_FALSE(Abbreviations("").ends("the U.S.", "She does"));
}

TEST(Abbreviations, SomeCountBeforeANumberOnly) {
  const Abbreviations english("en");
  EXPECT_TRUE(english.ends("See No.", "5"));
  EXPECT_FALSE(english.ends("He said No.", "She left"));
}

TEST(Abbreviations, OrdinaryWordsInICUsListsAreNone) {
  EXPECT_FALSE(Abbreviations("en").ends("We met Joe."));
  EXPECT_FALSE(Abbreviations("es").ends("Vimos el mar."));
}

TEST(Abbreviations, AreFoundAfterAnyKindOfSpaceAndOpeningPunctuation) {
  EXPECT_TRUE(Abbreviations("en").ends("(\u201cMr."));
  EXPECT_TRUE(Abbreviations("de").ends("z.\u00a0B."));
  EXPECT_TRUE(Abbreviations("it").ends("L'ing."));
}

TEST(Abbreviations, AnUnknownCodeIsNamed) {
  EXPECT_FAILS(Abbreviations("english"), ConfigError, "language: expected the code of a language, such as en");
}

}  // namespace
}  // namespace ventris::documents
