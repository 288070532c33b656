#include "translation/alignment.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/errors.h"
#include "support/tiny_text.h"

namespace ventris::translation {
namespace {

using Words = std::vector<int64_t>;

TEST(WordsOf, ASpaceBelongsToTheWordBehindIt) {
  EXPECT_EQ(words_of("ab  cd", {{0, 1}, {1, 2}, {2, 3}, {3, 5}, {5, 6}}), (Words{0, 0, 1, 1, 1}));
  EXPECT_EQ(words_of("ab ", {{0, 2}, {2, 3}}), (Words{0, -1}));
  EXPECT_EQ(words_of("", {{0, 0}}), Words{-1});
}

TEST(WordsOf, OnlyTheWordsOfThePlacesAreLookedFor) {
  EXPECT_EQ(words_of("ab cd ef", {{0, 1}, {3, 4}}), (Words{0, 1})) << "the line may have been cut inside a word";
  EXPECT_EQ(words_of("ab  cd ef", {{2, 3}}), Words{1});
  EXPECT_EQ(words_of("ab cd", {}), Words{});
}

TEST(WordsOf, PiecesOfATokenizerBelongToTheWordTheyAreMadeOf) {
  const auto tokenizer = test::tiny_tokenizer(text::TokenizerKind::kUnigram);
  const std::string text = "  The driver\u00a0likes \u65e5\u672c bread. ";  // with a no-break space and unknown words
  const auto ids = tokenizer.encode(text);
  const Words words = words_of(text, tokenizer.places(text));
  ASSERT_EQ(words.size(), ids.size());
  EXPECT_EQ(words.front(), 0);
  EXPECT_EQ(words.back(), 4);
  for (size_t i = 1; i < ids.size(); ++i) {
    const bool begins = tokenizer.piece(ids[i]).starts_with("\u2581");
    EXPECT_EQ(words[i], words[i - 1] + (begins ? 1 : 0)) << i;
  }
}

TEST(AlignWords, EachTargetWordIsLinkedToTheSourceWordItsTokensLookAtMost) {
  const std::vector<float> weights{0.1F, 0.2F, 0.6F,  0.1F,  // target word 0 looks at source word 1
                                   0.3F, 0.3F, 0.35F, 0.1F,  // 1, first token: at word 0, which has two tokens
                                   0.3F, 0.1F, 0.5F,  0.1F,  // 1, second token: at word 1, but less
                                   0.0F, 0.0F, 0.1F,  0.9F};  // eos
  EXPECT_EQ(format_links(align_words({weights, {0, 0, 1, -1}, {0, 1, 1, -1}})), "0-1 1-0");
}

TEST(AlignWords, OfEqualWordsTheFirstAndOfNothingNone) {
  const std::vector<float> weights{0.4F, 0.4F, 0.2F};
  EXPECT_EQ(format_links(align_words({weights, {0, 1, -1}, {0}})), "0-0");
  EXPECT_EQ(format_links(align_words({weights, {-1, -1, -1}, {0}})), "");
  EXPECT_EQ(format_links(align_words({weights, {0, 1, 2}, {-1}})), "");
  EXPECT_EQ(format_links(align_words({{}, {0}, {}})), "");
}

TEST(MostAttended, IsTheGreatestAmongTheAllowed) {
  const std::vector<float> weights{0.1F, 0.2F, 0.7F, 0.6F, 0.3F, 0.1F};
  EXPECT_EQ(most_attended(weights, 0, {true, true, true}), 2);
  EXPECT_EQ(most_attended(weights, 0, {true, true, false}), 1);
  EXPECT_EQ(most_attended(weights, 1, {true, true, true}), 0);
  EXPECT_EQ(most_attended(weights, 1, {false, false, false}), -1);
}

TEST(AlignWords, AWordThatLooksMostAtNoWordHasNoLinkIfTheModelKnowsSuchWords) {
  const std::vector<float> weights{0.4F, 0.1F, 0.5F, 0.6F, 0.1F, 0.3F};
  TokenAttention attention{weights, {0, 1, -1}, {0, 1}};
  EXPECT_EQ(format_links(align_words(attention)), "0-0 0-1");
  attention.knows_none = true;
  EXPECT_EQ(format_links(align_words(attention)), "0-1");
}

TEST(AttentionQuestion, TheDefaultIsTheMeanOfTheLastLayerButOneOfThreeOrMore) {
  const auto question = attention_question({}, {6, 8});
  EXPECT_TRUE(question.attention && !question.log_probs);
  EXPECT_EQ(question.layer, 4);
  EXPECT_EQ(question.head, -1);
  EXPECT_EQ(attention_question({}, {3, 8}).layer, 1);
  EXPECT_EQ(attention_question({}, {2, 8}).layer, 1);
  EXPECT_EQ(attention_question({}, {1, 8}).layer, 0);
  EXPECT_EQ(attention_question({2, 3}, {6, 8}).layer, 1);
  EXPECT_EQ(attention_question({2, 3}, {6, 8}).head, 2);
}

TEST(AttentionQuestion, WhatHasLearntLinksIsTheDefaultUnlessALayerOrHeadIsChosen) {
  const model::GuidedAttention learnt{.layer = 3, .head = 2};
  EXPECT_EQ(attention_question({}, {6, 8}, learnt).layer, 2);
  EXPECT_EQ(attention_question({}, {6, 8}, learnt).head, 1);
  EXPECT_EQ(attention_question({0, AttentionChoice::kMean}, {6, 8}, learnt).layer, 4);
  EXPECT_EQ(attention_question({0, AttentionChoice::kMean}, {6, 8}, learnt).head, -1);
  EXPECT_EQ(attention_question({2, 0}, {6, 8}, learnt).layer, 1);
  EXPECT_EQ(attention_question({2, 0}, {6, 8}, learnt).head, -1);
}

TEST(MoveToReading, ATokenGetsTheRowOfTheNextStep) {
  std::vector<float> weights{1, 2, 3, 4, 5, 6};
  move_to_reading(weights, 2, false);
  EXPECT_EQ(weights, (std::vector<float>{3, 4, 5, 6, 5, 6}));
  move_to_reading(weights, 2, true);
  EXPECT_EQ(weights, (std::vector<float>{5, 6, 5, 6, 0, 0}));
  std::vector<float> none;
  move_to_reading(none, 2, true);
  EXPECT_TRUE(none.empty());
}

TEST(AttentionQuestion, WhatTheModelDoesNotHaveIsNamed) {
  EXPECT_FAILS(attention_question({7, 0}, {6, 8}), ConfigError,
               "alignment_layer: the model has 6 layers with attention to the source, got 7");
  EXPECT_FAILS(attention_question({0, 9}, {6, 8}), ConfigError, "alignment_head: the model has 8 heads, got 9");
  EXPECT_FAILS(attention_question({}, {}), ConfigError, "this model does not provide its attention");
  EXPECT_FAILS(attention_question({}, {}), ConfigError, "unless --markup none reads its lines as texts");
}

}  // namespace
}  // namespace ventris::translation
