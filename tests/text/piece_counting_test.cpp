#include "text/piece_counting.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/errors.h"
#include "text/model_check.h"

namespace ventris::text {
namespace {

/// Learns a tokenizer of the words of some lines.
std::string learnt(const std::vector<std::string>& lines, TokenizerTraining training = {}) {
  training.kind = TokenizerKind::kPieces;
  size_t next = 0;
  return learn_tokenizer(
      [&](std::string& line) {
        if (next < lines.size()) line = lines[next];
        return next++ < lines.size();
      },
      training);
}

const std::vector<std::string> kLines{"a@@ b c", "", "  c  a@@ d", "<unk> c"};

TEST(CountPieces, TheMostFrequentWordsAreThePiecesAndEqualOnesKeepTheirOrder) {
  const Tokenizer tokenizer(learnt(kLines), "pieces");
  EXPECT_EQ(tokenizer.kind(), TokenizerKind::kPieces);
  std::vector<std::string> pieces;
  for (int32_t id = 0; id < tokenizer.size(); ++id) pieces.push_back(tokenizer.piece(id));
  EXPECT_EQ(pieces, (std::vector<std::string>{"<pad>", "<unk>", "<s>", "</s>", "\u2581c", "\u2581a@@", "\u2581b",
                                              "\u2581d", "\u2581<unk>"}));
  EXPECT_EQ(tokenizer.encode("c b  x d"), (std::vector<int32_t>{4, 6, 1, 7}));
  EXPECT_EQ(tokenizer.decode(std::vector<int32_t>{4, 5, 7}), "c a@@ d");
  EXPECT_EQ(tokenizer.encode("<unk>"), std::vector<int32_t>{8}) << "it is a word like any other";
}

TEST(CountPieces, TheSizeIsALimitAndSomePiecesAreAlwaysThere) {
  const Tokenizer small(learnt(kLines, {.vocab_size = 6}), "pieces");
  EXPECT_EQ(small.size(), 6);
  EXPECT_EQ(small.encode("c a@@ b"), (std::vector<int32_t>{4, 5, 1}));
  const Tokenizer tagged(learnt(kLines, {.vocab_size = 6, .user_pieces = {"<2de>"}}), "pieces");
  EXPECT_EQ(tagged.piece(4), "\u2581<2de>");
  EXPECT_EQ(tagged.piece(5), "\u2581c");
  EXPECT_FAILS(learnt(kLines, {.vocab_size = 10, .exact_size = true}), ConfigError,
               "vocabulary size 10: the text gives at most 9 pieces");
  EXPECT_NO_THROW(learnt(kLines, {.vocab_size = 9, .exact_size = true}));
}

TEST(CountPieces, PiecesThatMustBeThereFitInAndAreThereOnce) {
  EXPECT_EQ(Tokenizer(learnt(kLines, {.vocab_size = 6, .user_pieces = {"A", "A", "B"}}), "pieces").size(), 6);
  EXPECT_FAILS(learnt(kLines, {.vocab_size = 6, .user_pieces = {"A", "B", "C"}}), ConfigError,
               "vocabulary size 6: expected at least 7, for special ids and the words that always become pieces");
  EXPECT_FAILS(learnt(kLines, {.user_pieces = {"a b"}}), ConfigError, "tag: expected a word without spaces");
}

TEST(CountPieces, AWordThatCannotBeAPieceIsUnknown) {
  const std::string longest(kLongestPiece - 3, 'x'), longer = longest + "x";
  const Tokenizer tokenizer(learnt(std::vector<std::string>{"a b c " + longest + " " + longer + " one\u2581two"}),
                            "pieces");
  EXPECT_EQ(tokenizer.encode(longest), std::vector<int32_t>{7});
  EXPECT_EQ(tokenizer.encode(longer), std::vector<int32_t>{1});
  EXPECT_EQ(tokenizer.encode("one\u2581two"), std::vector<int32_t>{1});
}

TEST(CountPieces, TextsThatGiveNoTokenizerAreRefused) {
  EXPECT_FAILS(learnt(std::vector<std::string>{"", "  "}), DataError,
               "the text to learn a tokenizer from is empty: expected words between");
  EXPECT_FAILS(learnt(std::vector<std::string>{"\u2581A \u2581sm all"}), DataError,
               "the text has U+2581 in most words");
  EXPECT_FAILS(learnt(kLines, {.byte_fallback = true}), ConfigError,
               "byte fallback: a tokenizer of pieces takes words as they are");
}

TEST(CountPieces, NothingIsDrawnAtRandom) {
  const Tokenizer tokenizer(learnt(kLines), "pieces");
  EXPECT_EQ(tokenizer.sample("c b d", 0.5, 1), tokenizer.encode("c b d"));
}

}  // namespace
}  // namespace ventris::text
