#include "text/normalisation_rules.h"

#include <gtest/gtest.h>

#include "support/tiny_text.h"
#include "text/model_proto.h"
#include "text/tokenizer.h"

namespace ventris::text {
namespace {

using Strings = std::vector<std::string>;

Tokenizer learnt(bool drop_invisible) {
  const auto lines = test::tiny_text();
  TokenizerTraining training;
  training.vocab_size = 150;
  training.drop_invisible = drop_invisible;
  return {learn_tokenizer(test::source_of(lines), training), "tiny tokenizer"};
}

NormalisationRules rules(const Tokenizer& tokenizer) {
  return rules_of(parse_model_proto(tokenizer.bytes())->charsmaps.at(0));
}

/// A tokenizer that drops invisible characters, and one that keeps them; made once, because this takes half a second.
class InvisibleRules : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    dropping = std::make_unique<Tokenizer>(learnt(true));
    keeping = std::make_unique<Tokenizer>(learnt(false));
  }
  static void TearDownTestSuite() {
    dropping.reset();
    keeping.reset();
  }
  static inline std::unique_ptr<Tokenizer> dropping, keeping;
};

TEST_F(InvisibleRules, AWordWithInvisibleCharactersIsTheWord) {
  const Strings plain = dropping->pieces("The driver likes bread.");
  for (const char* text : {"The dri\u00ADver likes bread.", "\uFEFFThe driver likes bre\u200Bad.",
                           "The \u2068driver\u2069 likes bread\u200E.", "The dri\u200Cver likes br\u200Dead.",
                           "The driver\U000E0068\U000E0069 likes bread."}) {
    EXPECT_EQ(dropping->pieces(text), plain) << text;
    EXPECT_NE(keeping->pieces(text), plain) << text;
  }
}

TEST_F(InvisibleRules, PlacesAreThoseOfTheWholeText) {
  const std::string text = "The dri\u00ADver.";
  const auto places = dropping->places(text);
  EXPECT_EQ(places.front().begin, 0U);
  EXPECT_EQ(places.back().end, text.size());
}

TEST_F(InvisibleRules, WhatHasAUseStays) {
  for (const char* text :
       {"\u0645\u06CC\u200C\u062E", "\u0915\u094D\u200D\u0937", "\u2764\uFE0F",
        "\U0001F3F4\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F", "\uFB01", "\u2460"}) {
    EXPECT_EQ(dropping->pieces(text), keeping->pieces(text)) << text;
  }
}

TEST_F(InvisibleRules, AllOtherRulesAreTheUsualOnes) {
  const NormalisationRules usual = rules(*keeping);
  EXPECT_GT(usual.size(), 200'000U);
  EXPECT_EQ(usual.at("\uFB01"), "fi");
  EXPECT_EQ(rules(*dropping), without_invisible(usual));
  EXPECT_LT(dropping->bytes().size(), keeping->bytes().size() * 3 / 2);
}

TEST_F(InvisibleRules, OnlyTheRulesOfATokenizerChange) {
  for (int32_t id = 0; id < keeping->size(); ++id) EXPECT_EQ(dropping->piece(id), keeping->piece(id));
}

TEST(NormalisationRules, ATableHasCodePoints) {
  EXPECT_EQ(as_rule_table({{"a\u200C", "a"}, {"\u00AD", ""}, {"\U0001F600", "xy"}}),
            "61 200C\t61\nAD\t\n1F600\t78 79\n");
}

TEST(LearnTokenizer, TextOfInvisibleCharactersIsEmpty) {
  const Strings lines{"\u00AD", "\u200B\u2060 \uFE0F"};
  TokenizerTraining training;
  training.drop_invisible = true;
  EXPECT_THROW(learn_tokenizer(test::source_of(lines), training), std::exception);
}

}  // namespace
}  // namespace ventris::text
