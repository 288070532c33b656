#include <gtest/gtest.h>

#include "core/error.h"
#include "core/random.h"
#include "support/errors.h"
#include "support/tiny_text.h"
#include "text/model_check.h"
#include "text/tokenizer.h"

namespace ventris::text {
namespace {

using test::source_of;

std::string learn(const std::vector<std::string>& lines, const TokenizerTraining& training) {
  return learn_tokenizer(source_of(lines), training);
}

class TokenizerLearning : public testing::TestWithParam<TokenizerKind> {
 protected:
  TokenizerTraining settings(int32_t size) const {
    TokenizerTraining training;
    training.kind = GetParam();
    training.vocab_size = size;
    return training;
  }
};

INSTANTIATE_TEST_SUITE_P(Kinds, TokenizerLearning, testing::Values(TokenizerKind::kUnigram, TokenizerKind::kBpe),
                         [](const auto& kind) { return kind.param == TokenizerKind::kBpe ? "Bpe" : "Unigram"; });

TEST_P(TokenizerLearning, TheSameTextGivesTheSameBytes) {
  TokenizerTraining training = settings(120);
  training.max_sentences = 50;
  EXPECT_EQ(learn(test::tiny_text(), training), learn(test::tiny_text(), training));
  training.threads = 2;
  EXPECT_EQ(learn(test::tiny_text(), training), learn(test::tiny_text(), training));
}

TEST_P(TokenizerLearning, TheSampleDependsOnItsSeedOnlyIfThereIsMoreText) {
  TokenizerTraining training = settings(120), other = training;
  other.seed = 2;
  EXPECT_EQ(learn(test::tiny_text(), training), learn(test::tiny_text(), other));
  training.max_sentences = other.max_sentences = 20;
  EXPECT_NE(learn(test::tiny_text(), training), learn(test::tiny_text(), other));
}

TEST_P(TokenizerLearning, LittleTextGivesASmallerVocabularyUnlessTheSizeIsExact) {
  TokenizerTraining training = settings(8000);
  const Tokenizer small(learn(test::tiny_text(), training), "small");
  EXPECT_LT(small.size(), 8000);
  EXPECT_GT(small.size(), 40);
  training.exact_size = true;
  EXPECT_FAILS(learn(test::tiny_text(), training), ConfigError,
               "vocabulary size 8000: the text gives at most " + std::to_string(small.size()) + " pieces");
  training.vocab_size = 60;
  EXPECT_EQ(Tokenizer(learn(test::tiny_text(), training), "exact").size(), 60);
}

TEST_P(TokenizerLearning, AVocabularySmallerThanTheAlphabetIsRefusedWithTheSmallest) {
  EXPECT_FAILS(learn(test::tiny_text(), settings(10)), ConfigError, "vocabulary size 10: the text needs at least ");
  EXPECT_FAILS(learn(test::tiny_text(), settings(4)), ConfigError, "vocabulary size 4: expected at least 5");
}

TEST_P(TokenizerLearning, EmptyTextIsRefused) {
  EXPECT_FAILS(learn({}, settings(100)), DataError, "is empty");
  EXPECT_FAILS(learn({"", "  ", "\u3000"}, settings(100)), DataError, "is empty");
  EXPECT_FAILS(learn({"\u200B"}, settings(100)), DataError, "is empty");
  EXPECT_FAILS(learn({"\u200B", "\u2585\u2585"}, settings(100)), DataError, "is empty");
}

TEST_P(TokenizerLearning, SillySettingsAreRefused) {
  TokenizerTraining training = settings(100);
  training.character_coverage = 0.5;
  EXPECT_FAILS(learn({"a"}, training), ConfigError, "character coverage: expected a number in (0.9, 1], got 0.5");
  training = settings(100);
  training.max_sentences = 0;
  EXPECT_FAILS(learn({"a"}, training), ConfigError, "expected at least 1, got 0");
  training = settings(100);
  training.byte_fallback = true;
  EXPECT_FAILS(learn({"a"}, training), ConfigError, "expected at least 261 (special ids, bytes and one piece)");
}

TEST_P(TokenizerLearning, OddTextDoesNoHarm) {
  std::vector<std::string> lines{"a",
                                 std::string("nul \0 byte", 10),
                                 "tab\there",
                                 "</s> <unk>",
                                 "\u2581 meta",
                                 "\u2585 block",
                                 std::string(100000, 'x'),
                                 "😀 \uFFFD \u0085",
                                 std::string(50000, ' ') + "y"};
  const Tokenizer tokenizer(learn(lines, settings(200)), "odd");
  EXPECT_FALSE(tokenizer.encode("a tab").empty());
  for (int32_t id = 4; id < tokenizer.size(); ++id) EXPECT_NE(tokenizer.piece(id), "</s>");
}

TEST_P(TokenizerLearning, ArbitraryTextIsLearntOrRefusedInWords) {
  const core::RandomStream random(5, 0);
  const std::vector<std::string> parts{
      "a",      "b",  " ",   "\u2581", "\u200B", "\u2585", "\uFFFD", "ﬁ", "😀", "\t", std::string(1, '\0'),
      "\u0085", "中", "</s>"};
  for (uint64_t trial = 0; trial < 100; ++trial) {
    uint64_t draw = trial << 16;
    std::vector<std::string> lines(1 + random.below(draw++, 4));
    for (std::string& line : lines) {
      for (uint64_t left = random.below(draw++, 9); left > 0; --left) line += parts[random.below(draw++, parts.size())];
    }
    try {
      EXPECT_GT(Tokenizer(learn(lines, settings(5 + static_cast<int32_t>(trial % 30))), "any").size(), 4);
    } catch (const DataError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("is empty"));
    } catch (const ConfigError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("vocabulary size"));
    }
  }
}

TEST_P(TokenizerLearning, OneLineIsEnough) {
  for (const char* line : {"a", "aaaa", "one line of text"}) {
    const Tokenizer tokenizer(learn({line}, settings(300)), "one");
    EXPECT_EQ(tokenizer.decode(tokenizer.encode(line)), line);
  }
}

TEST_P(TokenizerLearning, TagsAreAsLongAndAsNestedAsTheLibraryBears) {
  TokenizerTraining training = settings(700);
  training.user_pieces = {std::string(kLongestPiece, 't')};
  for (size_t i = 1; i < kMostNestedPieces; ++i) training.user_pieces.emplace_back(i, 't');
  EXPECT_NO_THROW(Tokenizer(learn({"some text"}, training), "tags"));
  training.user_pieces.emplace_back(kMostNestedPieces, 't');
  EXPECT_FAILS(learn({"some text"}, training), ConfigError,
               "tags: expected at most 64 tags each of which begins with the previous one, got 65");
  training.user_pieces = {std::string(120'000, 't')};
  EXPECT_FAILS(learn({"some text"}, training), ConfigError, "tag: expected 1 to 512 bytes, got 120000");
}

}  // namespace
}  // namespace ventris::text
