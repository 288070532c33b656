#include "imports/vocabulary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "support/errors.h"
#include "support/model_writer.h"
#include "text/model_proto.h"
#include "text/tokenizer.h"

namespace ventris::imports {
namespace {

using testing::ElementsAre;

/// A SentencePiece model of these pieces, after <unk>, <s> and </s> as its own ids 0, 1 and 2.
std::string foreign_spm(const std::vector<std::string>& pieces) {
  using text::PieceType;
  std::string bytes = test::piece_field("<unk>", PieceType::kUnknown) + test::piece_field("<s>", PieceType::kControl) +
                      test::piece_field("</s>", PieceType::kControl);
  for (size_t i = 0; i < pieces.size(); ++i) {
    bytes += test::piece_field(pieces[i], PieceType::kNormal, -1 - static_cast<float>(i));
  }
  return bytes;
}

Vocabulary some_vocabulary() { return {{"</s>", "<unk>", "a", "b", "<pad>", "<s>"}, 4, 1, 0, 4}; }

TEST(NewVocabulary, SpecialTokensComeFirstThenTheOthersInTheirOrder) {
  const NewVocabulary made = new_vocabulary(some_vocabulary(), {}, "vocab.json");
  EXPECT_THAT(made.texts, ElementsAre("<pad>", "<unk>", "<s>", "</s>", "a", "b", "<row 5>"));
  EXPECT_THAT(made.rows, ElementsAre(4, 1, 4, 0, 2, 3, 5));
  EXPECT_EQ(made.own_rows, 7);
}

TEST(NewVocabulary, PiecesWithoutARowComeLastOnceWithTheRowOfUnk) {
  const std::string source = foreign_spm({"a", "x"}), target = foreign_spm({"x", "y", "b"});
  const NewVocabulary made = new_vocabulary(some_vocabulary(), {source, target}, "vocab.json");
  EXPECT_THAT(std::vector<std::string>(made.texts.end() - 2, made.texts.end()), ElementsAre("x", "y"));
  EXPECT_THAT(Order(made.rows.end() - 2, made.rows.end()), ElementsAre(1, 1));
  EXPECT_EQ(made.own_rows, 7);
}

TEST(NewVocabulary, APieceThatIsASpecialTokenIsNoFurtherPiece) {
  using text::PieceType;
  const std::string spm = foreign_spm({"a"}) + test::piece_field("<pad>", PieceType::kUserDefined) +
                          test::piece_field("x", PieceType::kUserDefined);
  EXPECT_THAT(new_vocabulary(some_vocabulary(), {spm}, "vocab.json").texts,
              ElementsAre("<pad>", "<unk>", "<s>", "</s>", "a", "b", "<row 5>", "x"));
}

TEST(NewVocabulary, TextsThatCannotBePiecesKeepTheirRowUnderAnotherName) {
  Vocabulary old = some_vocabulary();
  old.texts[2] = "";
  old.texts[3] = std::string(600, 'b');
  const NewVocabulary made = new_vocabulary(old, {}, "vocab.json");
  EXPECT_EQ(made.texts[4], "<row 2>");
  EXPECT_EQ(made.texts[5], "<row 3>");
}

TEST(NewVocabulary, AStartThatIsNoOtherTokenHasTheRowOfBosOnly) {
  Vocabulary old = some_vocabulary();
  old.texts[2] = "<go>";
  old.start = 2;
  EXPECT_THAT(new_vocabulary(old, {}, "vocab.json").rows, ElementsAre(4, 1, 2, 0, 2, 3, 5));
  old.bos = "<go>";
  const NewVocabulary made = new_vocabulary(old, {}, "vocab.json");
  EXPECT_THAT(made.rows, ElementsAre(4, 1, 2, 0, 3, 5));
  EXPECT_EQ(made.own_rows, 6);
}

TEST(NewVocabulary, ARowOutsideTheVocabularyIsNamed) {
  Vocabulary old = some_vocabulary();
  old.start = 6;
  EXPECT_FAILS(new_vocabulary(old, {}, "vocab.json"), ModelError,
               "vocab.json: the start of the decoder is token 6, but there are only 6 tokens");
  old.start = -2;
  EXPECT_FAILS(new_vocabulary(old, {}, "vocab.json"), ModelError, "token -2");
}

TEST(NewSpm, PiecesAreFoundInTextsAndThoseOfTheOtherSideAreOnlyLookedUp) {
  const std::string source = foreign_spm({"\u2581", "a", "x"});
  Vocabulary old = some_vocabulary();
  const text::Tokenizer tokenizer(new_spm(source, new_vocabulary(old, {source}, "vocab.json")), "source");
  const int32_t a = 4, b = 5, unk = 1;
  EXPECT_THAT(tokenizer.encode("ab"), ElementsAre(unk, a, b)) << "the space has no row; b is no piece of the source";
  EXPECT_THAT(tokenizer.encode("abb"), ElementsAre(unk, a, unk)) << "the run bb is in no vocabulary";
  EXPECT_THAT(tokenizer.encode("ax"), ElementsAre(unk, a, unk)) << "x is a piece without a row";
}

}  // namespace
}  // namespace ventris::imports
