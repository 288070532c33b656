#include "preparation/word_vectors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/log.h"
#include "support/errors.h"
#include "support/gzip.h"
#include "support/model_writer.h"
#include "support/temp_folder.h"

namespace ventris::preparation {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class WordVectors : public testing::Test {
 protected:
  PieceVectors read(const std::string& text, int64_t width = 2) const {
    return read_vectors(folder.file("file.vec", text), tokenizer, width);
  }
  /// The pieces that got a vector.
  std::vector<std::string> found(const PieceVectors& vectors) const {
    std::vector<std::string> pieces;
    for (const int32_t id : vectors.ids) pieces.push_back(tokenizer.piece(id));
    return pieces;
  }

  test::TempFolder folder;
  text::Tokenizer tokenizer{
      test::written_model(12) + test::piece_field("\u2581bread") + test::piece_field("\u2581never"), "tokenizer"};
};

TEST_F(WordVectors, APieceGetsTheVectorOfThePieceOrElseOfTheWord) {
  const PieceVectors words = read("bread 1 2\nnever -0.5 1e-3\nunheard 3 4\n");
  EXPECT_THAT(found(words), testing::UnorderedElementsAre("\u2581bread", "\u2581never"));
  EXPECT_EQ(words.as_pieces, 0);
  EXPECT_EQ(words.vocab, tokenizer.size() - 4);
  EXPECT_EQ(words.missing.size(), PieceVectors::kMissingShown);
  const PieceVectors pieces = read("bread 1 2\n\u2581bread 3 4\n");
  EXPECT_THAT(found(pieces), ElementsAre("\u2581bread"));
  EXPECT_THAT(pieces.values, ElementsAre(3, 4));
  EXPECT_EQ(pieces.as_pieces, 1);
  EXPECT_THAT(read("\u2581bread 3 4\nbread 1 2\n").values, ElementsAre(3, 4));
}

TEST_F(WordVectors, OfAWordThatOccursTwiceTheFirstCounts) {
  EXPECT_THAT(read("bread 1 2\nbread 3 4\n").values, ElementsAre(1, 2));
}

TEST_F(WordVectors, SpecialTokensGetNoVector) { EXPECT_TRUE(read("<unk> 1 2\n</s> 3 4\n").ids.empty()); }

TEST_F(WordVectors, TheFormatsOfWord2vecGloveAndFastTextAreRead) {
  for (const char* text :
       {"1 2\nbread 1 2\n", "bread 1 2\n", "1 2\r\nbread 1 2 \r\n", "bread\t1\t2", "\n\nbread 1 2"}) {
    EXPECT_THAT(read(text).values, ElementsAre(1, 2)) << text;
  }
  EXPECT_THAT(read(". . . 1 2\nbread 1 2\n").values, ElementsAre(1, 2)) << "a word with spaces is skipped";
  const std::string packed = folder.file("file.vec.gz", test::gzipped("bread 1 2\n"));
  EXPECT_THAT(read_vectors(packed, tokenizer, 2).values, ElementsAre(1, 2));
}

TEST_F(WordVectors, ANumberThatIsTooSmallForAFloatIsZero) {
  EXPECT_THAT(read("bread 1e-46 -1e-300\n").values, ElementsAre(0, 0));
  EXPECT_FAILS(read("bread 1 1e39\n"), DataError, "found '1e39' as number 2");
}

TEST_F(WordVectors, AWrongWidthIsNamedWithItsLine) {
  EXPECT_FAILS(read("7 300\nbread 1 2\n"), DataError,
               "file.vec:1: expected a word and 2 numbers, as many as the embeddings of the model have features; found "
               "300 numbers");
  EXPECT_FAILS(read("bread 1 2\nnever 1 2 3\n"), DataError, "file.vec:2: expected a word and 2 numbers");
  EXPECT_FAILS(read("bread 1 2\nnever 1\n"), DataError, "found 1 numbers");
  EXPECT_FAILS(read("bread\n"), DataError, "file.vec:1: expected a word and 2 numbers");
}

TEST_F(WordVectors, WhatIsNoNumberIsNamedWithItsLine) {
  EXPECT_FAILS(read("bread 1 2\nnever 1 x\n"), DataError,
               "file.vec:2: expected a word and 2 numbers, found 'x' as number 2");
  EXPECT_FAILS(read("bread 1 nan\n"), DataError, "found 'nan' as number 2");
  EXPECT_FAILS(read("bread 1 2,5\n"), DataError, "found '2,5' as number 2");
  EXPECT_FAILS(read(""), DataError, "file.vec: expected lines of a word and 2 numbers, found none");
  EXPECT_FAILS(read_vectors(folder.path("none"), tokenizer, 2), DataError, "none");
}

TEST_F(WordVectors, AFileWithFewerVectorsThanItAnnouncesIsNoted) {
  testing::internal::CaptureStderr();
  read("7 2\nbread 1 2\n");
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("announces 7 vectors, but it has 1; is it complete?"));
}

class EmbeddingVectorsTest : public WordVectors {
 protected:
  std::vector<EmbeddingVectors> read_both(const std::string& family) const {
    nlohmann::json settings = {{"architecture", family}};
    settings["model"] =
        family == "rnn" ? nlohmann::json{{"d_embedding", 2}} : nlohmann::json{{"d_model", 2}, {"heads", 1}};
    settings["training"] = {{"source_vectors", folder.file("source.vec", "bread 1 2\n")},
                            {"target_vectors", folder.file("target.vec", "never 3 4\n")}};
    return read_embedding_vectors(settings::RunConfig::parse(settings), {tokenizer, tokenizer});
  }
};

TEST_F(EmbeddingVectorsTest, EachSideHasItsOwnAndTheLogSaysWhatWasFound) {
  core::set_log_level("info");
  testing::internal::CaptureStderr();
  const auto both = read_both("transformer");
  const std::string log = testing::internal::GetCapturedStderr();
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(both[0].tensor, "tgt_embed.0.lut.weight");
  EXPECT_THAT(both[0].vectors.values, ElementsAre(3, 4));
  EXPECT_EQ(both[1].tensor, "src_embed.0.lut.weight");
  EXPECT_THAT(both[1].vectors.values, ElementsAre(1, 2));
  EXPECT_THAT(log, HasSubstr("source.vec: found vectors of 1 of "));
  EXPECT_THAT(log, HasSubstr("0 as pieces, 1 as words; not found, among others: "));
  EXPECT_EQ(read_both("rnn").at(0).tensor, "trg_embed.weight");
}

TEST_F(EmbeddingVectorsTest, AModelWithoutTheEmbeddingIsRefused) {
  EXPECT_FAILS(read_both("bert"), ConfigError,
               "training.target_vectors: a model of the family 'bert' has no such embedding; leave it out");
}

}  // namespace
}  // namespace ventris::preparation
