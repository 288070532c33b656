#include "text/piece_parser.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/errors.h"
#include "support/tiny_text.h"

namespace ventris::text {
namespace {

using Ids = std::vector<int32_t>;

class PieceParserTest : public testing::TestWithParam<Notation> {
 protected:
  const Tokenizer tokenizer = test::tiny_tokenizer(TokenizerKind::kUnigram);
  const PieceParser parser{tokenizer, GetParam()};
};

INSTANTIATE_TEST_SUITE_P(Notations, PieceParserTest, testing::Values(Notation::kPieces, Notation::kIds),
                         [](const auto& notation) { return notation.param == Notation::kIds ? "Ids" : "Pieces"; });

TEST_P(PieceParserTest, WhatIsWrittenReadsBackTheSame) {
  Ids all;
  for (int32_t id = 0; id < tokenizer.size(); ++id) all.push_back(id);
  EXPECT_EQ(parser.parse(write_ids(tokenizer, all, GetParam()), "here"), all);
  EXPECT_EQ(write_ids(tokenizer, {}, GetParam()), "");
}

TEST_P(PieceParserTest, SpacesMayBeMany) {
  const std::string three = write_ids(tokenizer, {3}, GetParam());
  EXPECT_EQ(parser.parse("  " + three + "   " + three + " ", "here"), (Ids{3, 3}));
  EXPECT_EQ(parser.parse("   ", "here"), Ids{});
}

TEST(PieceParser, WordsThatAreNoneAreNamedWithTheirPlace) {
  const Tokenizer tokenizer = test::tiny_tokenizer(TokenizerKind::kUnigram);
  const PieceParser pieces(tokenizer, Notation::kPieces), ids(tokenizer, Notation::kIds);
  EXPECT_FAILS(pieces.parse("<s> xyzzy", "file:2"), DataError, "file:2: 'xyzzy' is not a piece of the tokenizer");
  const std::string most = std::to_string(tokenizer.size() - 1), size = std::to_string(tokenizer.size());
  for (const std::string& word : {size, std::string("-1"), std::string("4x"), std::string("99999999999")}) {
    EXPECT_FAILS(ids.parse("4 " + word, "file:2"), DataError,
                 "file:2: expected ids from 0 to " + most + ", found '" + word);
  }
}

}  // namespace
}  // namespace ventris::text
