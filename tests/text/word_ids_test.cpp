#include "text/word_ids.h"

#include <gtest/gtest.h>

#include "support/tiny_text.h"

namespace ventris::text {
namespace {

std::string learnt_with_mark(TokenizerKind kind) {
  TokenizerTraining training;
  training.kind = kind;
  training.vocab_size = 150;
  training.user_pieces = {"<sep>"};
  return learn_tokenizer(test::source_of(test::tiny_text()), training);
}

TEST(IdOfWord, IsThatOfAPieceInEveryKindOfTokenizer) {
  for (const TokenizerKind kind : {TokenizerKind::kUnigram, TokenizerKind::kBpe, TokenizerKind::kPieces}) {
    const Tokenizer tokenizer(learnt_with_mark(kind), "with a mark");
    const int32_t id = id_of_word(tokenizer, "<sep>");
    EXPECT_EQ(tokenizer.encode("<sep>").back(), id);
    EXPECT_EQ(tokenizer.piece(id), kind == TokenizerKind::kPieces ? "\u2581<sep>" : "<sep>");
    EXPECT_EQ(id_of_word(tokenizer, "<other>"), -1);
  }
}

}  // namespace
}  // namespace ventris::text
