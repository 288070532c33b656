#include "text/piece_encoder.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/files.h"
#include "support/errors.h"
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
  EXPECT_EQ(encoder.checksum(), core::crc32(core::read_file(path)));
}

TEST(PieceEncoder, OtherFilesAreRefused) {
  EXPECT_FAILS(PieceEncoder("no model", "x.spm"), ModelError, "x.spm: not a SentencePiece model");
  EXPECT_FAILS(PieceEncoder("", "x.spm"), ModelError, "x.spm: not a SentencePiece model");
  EXPECT_FAILS(PieceEncoder::from_file("/no/such.spm"), DataError, "/no/such.spm");
}

}  // namespace
}  // namespace ventris::text
