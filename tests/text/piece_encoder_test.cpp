#include "text/piece_encoder.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "files/files.h"
#include "support/errors.h"
#include "support/model_writer.h"
#include "support/tiny_text.h"

namespace ventris::text {
namespace {

TEST(PieceEncoder, PiecesSpellTheText) {
  const Tokenizer tokenizer = test::tiny_tokenizer(TokenizerKind::kUnigram);
  const PieceEncoder encoder(tokenizer.bytes(), "tiny");
  std::string joined;
  for (const std::string& piece : encoder.encode("The old man sees bread.")) joined += piece;
  EXPECT_EQ(joined, "\u2581The\u2581old\u2581man\u2581sees\u2581bread.");
  EXPECT_TRUE(encoder.encode("").empty());
  EXPECT_EQ(encoder.encode("\u4F60"), (std::vector<std::string>{"\u2581", "\u4F60"}));
}

TEST(PieceEncoder, ModelsWithoutOurSpecialIdsWillDo) {
  const std::string path = VENTRIS_SOURCE "/tests/parity/metrics.spm";
  EXPECT_FAILS(Tokenizer::from_file(path), ModelError, "special ids");
  const PieceEncoder encoder = PieceEncoder::from_file(path);
  EXPECT_FALSE(encoder.encode("the cat").empty());
  EXPECT_EQ(encoder.checksum(), files::crc32(files::read_file(path)));
}

TEST(PieceEncoder, OtherFilesAreRefused) {
  EXPECT_FAILS(PieceEncoder("no model", "x.spm"), ModelError, "x.spm: not a SentencePiece model");
  EXPECT_FAILS(PieceEncoder("", "x.spm"), ModelError, "x.spm: not a SentencePiece model");
  EXPECT_FAILS(PieceEncoder::from_file("/no/such.spm"), DataError, "/no/such.spm");
}

TEST(PieceEncoder, ModelsThatWouldBeFollowedOutOfTheirTablesAreRefused) {
  const std::string map = test::CharsmapWriter().put(0, test::CharsmapWriter::node(0, 1 << 20)).write();
  EXPECT_FAILS(PieceEncoder(test::written_model() + test::charsmap_field(map), "x.spm"), ModelError,
               "x.spm: normalisation rules: damaged: a rule leads out of the table");
}

TEST(PieceEncoder, AWordThatIsAControlPieceIsNamedAsTheModelsFault) {
  const std::string word_model = test::written_model() + test::piece_field("\u2581x", PieceType::kControl) +
                                 test::trainer_field(test::number_field(3, 3));
  const PieceEncoder encoder(word_model, "x.spm");
  EXPECT_EQ(encoder.encode("y").size(), 1U);
  EXPECT_FAILS(encoder.encode("x"), ModelError, "x.spm: cannot encode a text: ");
}

}  // namespace
}  // namespace ventris::text
