#include "text/model_rewriting.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "support/errors.h"
#include "support/model_writer.h"
#include "support/tiny_text.h"
#include "text/tokenizer.h"

namespace ventris::text {
namespace {

std::vector<NewPiece> pieces_of(const Tokenizer& tokenizer) {
  std::vector<NewPiece> pieces;
  const auto model = parse_model_proto(tokenizer.bytes());
  for (const ModelPiece& piece : model->pieces) {
    pieces.push_back({std::string(piece.text), piece.score, piece.type});
  }
  return pieces;
}

/// The tokenizer with a piece for "ж" that is never matched in a text.
Tokenizer with_unused(const Tokenizer& tokenizer, bool looks_up_unknown) {
  auto pieces = pieces_of(tokenizer);
  pieces.push_back({"\u0436", -100, PieceType::kUnused});
  return {with_pieces(tokenizer.bytes(), pieces, {.looks_up_unknown = looks_up_unknown}), "rewritten"};
}

class ModelRewriting : public testing::TestWithParam<TokenizerKind> {
 protected:
  Tokenizer tokenizer = test::tiny_tokenizer(GetParam());
};

TEST_P(ModelRewriting, TheSamePiecesSegmentAsBefore) {
  const Tokenizer rewritten(with_pieces(tokenizer.bytes(), pieces_of(tokenizer)), "rewritten");
  EXPECT_EQ(rewritten.size(), tokenizer.size());
  EXPECT_EQ(rewritten.kind(), tokenizer.kind());
  for (const std::string& line : test::tiny_text()) {
    EXPECT_EQ(rewritten.encode(line), tokenizer.encode(line));
    EXPECT_EQ(rewritten.decode(rewritten.encode(line)), line);
  }
}

TEST_P(ModelRewriting, PiecesInAnotherOrderGetOtherIdsAndTheSameTexts) {
  auto pieces = pieces_of(tokenizer);
  std::reverse(pieces.begin() + 4, pieces.end());
  const Tokenizer rewritten(with_pieces(tokenizer.bytes(), pieces), "rewritten");
  for (const std::string& line : test::tiny_text()) {
    EXPECT_EQ(rewritten.pieces(line), tokenizer.pieces(line));
    std::vector<int32_t> expected = tokenizer.encode(line);
    for (int32_t& id : expected) {
      if (id >= 4) id = tokenizer.size() + 3 - id;
    }
    EXPECT_EQ(rewritten.encode(line), expected);
  }
}

TEST_P(ModelRewriting, ARunThatLooksLikeASpecialPieceStaysUnknown) {
  auto pieces = pieces_of(tokenizer);
  const Tokenizer with(with_pieces(tokenizer.bytes(), pieces, {.looks_up_unknown = true}), "rewritten");
  for (const int32_t id : with.encode("\u0436</s>\u0436")) EXPECT_TRUE(id == 1 || id > 3);
}

TEST_P(ModelRewriting, SelfTestsAreLeftOut) {
  const std::string tests = test::bytes_field(4, test::bytes_field(1, "x"));
  const std::string rewritten =
      with_pieces(tokenizer.bytes() + tests, pieces_of(tokenizer), {.looks_up_unknown = true, .unknown_from = 9});
  EXPECT_FALSE(parse_model_proto(rewritten)->self_tests);
  EXPECT_EQ(with_pieces(rewritten, pieces_of(tokenizer), {.looks_up_unknown = true, .unknown_from = 9}), rewritten)
      << "a second time changes nothing";
}

TEST_P(ModelRewriting, PiecesThatAreNotInTheVocabularyAreFoundAndBecomeUnknown) {
  const auto from = static_cast<uint64_t>(tokenizer.size() / 2);
  const Tokenizer rewritten(with_pieces(tokenizer.bytes(), pieces_of(tokenizer), {.unknown_from = from}), "rewritten");
  for (const std::string& line : test::tiny_text()) {
    std::vector<int32_t> expected = tokenizer.encode(line);
    for (int32_t& id : expected) {
      if (id >= static_cast<int32_t>(from)) id = core::SpecialIds{}.unk;
    }
    EXPECT_EQ(rewritten.encode(line), expected);
    EXPECT_EQ(rewritten.pieces(line), tokenizer.pieces(line));
  }
}

TEST_P(ModelRewriting, ANumberOfKnownPiecesOverThatOfAllIsRefused) {
  const auto size = static_cast<uint64_t>(tokenizer.size());
  EXPECT_NO_THROW(Tokenizer(with_pieces(tokenizer.bytes(), pieces_of(tokenizer), {.unknown_from = size}), "all"));
  EXPECT_FAILS(Tokenizer(with_pieces(tokenizer.bytes(), pieces_of(tokenizer), {.unknown_from = size + 1}), "more"),
               ModelError, "more: unknown_from: expected at most the number of pieces, " + std::to_string(size));
}

TEST_P(ModelRewriting, WholeWordsAreNeverDivided) {
  std::vector<NewPiece> pieces = pieces_of(tokenizer);
  pieces[4] = {"\u2581one", 0, PieceType::kNormal};
  pieces[5] = {"\u2581on", 0, PieceType::kNormal};
  const Tokenizer words(with_pieces(tokenizer.bytes(), pieces, {.whole_words = true}), "rewritten");
  const std::string text = "  one on  ones x one";
  EXPECT_EQ(words.encode(text), (std::vector<int32_t>{4, 5, 1, 1, 4})) << "two unknown words are two ids";
  EXPECT_EQ(words.sample(text, 0.5, 1), words.encode(text));
  EXPECT_EQ(words.pieces("one x"), (std::vector<std::string>{"\u2581one", "\u2581x"}));
  const auto places = words.places(text);
  ASSERT_EQ(places.size(), 5U);
  EXPECT_EQ(text.substr(places[2].begin, places[2].end - places[2].begin), "  ones");
  EXPECT_EQ(words.decode(std::vector<int32_t>{4, 5}), "one on");
  EXPECT_TRUE(words.encode(" ").empty());
  EXPECT_TRUE(words.has_foreign_rules());
}

INSTANTIATE_TEST_SUITE_P(Kinds, ModelRewriting, testing::Values(TokenizerKind::kUnigram, TokenizerKind::kBpe));

TEST(LooksUpUnknown, AnUnknownRunGetsTheIdOfAPieceOfThisTextIfTheModelHasTheRule) {
  const Tokenizer tokenizer = test::tiny_tokenizer(TokenizerKind::kUnigram);
  const Tokenizer without = with_unused(tokenizer, false), with = with_unused(tokenizer, true);
  const int32_t added = tokenizer.size();
  EXPECT_FALSE(without.has_foreign_rules());
  EXPECT_TRUE(with.has_foreign_rules());
  const std::string text = "bread\u0436";
  std::vector<int32_t> expected = tokenizer.encode("bread");
  expected.push_back(added);
  EXPECT_EQ(with.encode(text), expected);
  EXPECT_EQ(with.decode(expected), text);
  expected.back() = core::SpecialIds{}.unk;
  EXPECT_EQ(without.encode(text), expected);
  EXPECT_EQ(with.encode("bread\u0436\u0436"), expected) << "the run is another text";
  EXPECT_EQ(with.encode("bread\u0437"), expected) << "no piece has this text";
}

TEST(LooksUpUnknown, TheRuleHoldsForSampledSegmentationsToo) {
  const Tokenizer tokenizer = test::tiny_tokenizer(TokenizerKind::kUnigram);
  const Tokenizer with = with_unused(tokenizer, true);
  for (uint64_t seed = 0; seed < 20; ++seed) {
    EXPECT_EQ(with.sample("bread\u0436", 0.3, seed).back(), tokenizer.size());
    EXPECT_EQ(with.sample("bread\u0436\u0436", 0.3, seed).back(), core::SpecialIds{}.unk);
  }
}

// The library itself finds an unused piece of one character in a BPE model.
TEST(LooksUpUnknown, AnUnknownCharacterOfABpeModelGetsItsIdInEveryCase) {
  const Tokenizer tokenizer = test::tiny_tokenizer(TokenizerKind::kBpe);
  for (const bool rule : {false, true}) {
    EXPECT_EQ(with_unused(tokenizer, rule).encode("bread\u0436").back(), tokenizer.size());
    EXPECT_EQ(with_unused(tokenizer, rule).encode("bread\u0437").back(), core::SpecialIds{}.unk);
  }
}

}  // namespace
}  // namespace ventris::text
