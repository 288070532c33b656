#include "text/model_check.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/error.h"
#include "support/errors.h"
#include "support/model_writer.h"
#include "support/tiny_text.h"

namespace ventris::text {
namespace {

using test::number_field;
using test::piece_field;
using test::trainer_field;

const std::string kBpe = trainer_field(number_field(3, 2));
const std::string kByteFallback = trainer_field(number_field(35, 1));

void refused(const std::string& bytes, const std::string& part) {
  EXPECT_FAILS(check_model(bytes, "x.spm"), ModelError, "x.spm: " + part);
}

std::string byte_pieces(int count) {
  std::string bytes;
  for (int i = 0; i < count; ++i) bytes += piece_field(fmt::format("<0x{:02X}>", i), PieceType::kByte);
  return bytes;
}

/// "a", "aa", "aaa"...
std::vector<std::string> nested(size_t count) {
  std::vector<std::string> texts;
  for (size_t i = 1; i <= count; ++i) texts.emplace_back(i, 'a');
  return texts;
}

TEST(ModelCheck, WhatIsLearntPasses) {
  for (const auto kind : {TokenizerKind::kUnigram, TokenizerKind::kBpe}) {
    for (const bool bytes : {false, true}) {
      const Tokenizer tokenizer = test::tiny_tokenizer(kind, bytes);
      EXPECT_EQ(check_model(tokenizer.bytes(), "x").pieces.size(), static_cast<size_t>(tokenizer.size()));
    }
  }
  EXPECT_NO_THROW(check_model(test::written_model(), "x"));
}

TEST(ModelCheck, APieceHasOneToAStatedNumberOfBytes) {
  const std::string model = test::written_model();
  EXPECT_NO_THROW(check_model(model + piece_field(std::string(kLongestPiece, 'x')), "x"));
  refused(model + piece_field(std::string(kLongestPiece + 1, 'x')), "piece 5: expected 1 to 512 bytes, found 513");
  refused(model + piece_field(std::string(160'000, 'x'), PieceType::kUserDefined),
          "piece 5: expected 1 to 512 bytes, found 160000; learn a tokenizer with ventris-vocab");
  refused(model + piece_field(""), "piece 5: expected 1 to 512 bytes, found 0");
}

TEST(ModelCheck, PiecesAreUtf8AndThereOnce) {
  const std::string model = test::written_model();
  refused(model + piece_field("b\xC3"), "piece 5: expected UTF-8 without NUL");
  refused(model + piece_field(std::string("b\0c", 3)), "piece 5: expected UTF-8 without NUL");
  refused(model + piece_field("a"), "piece 5: occurs twice");
  refused(model + piece_field("</s>"), "piece 5: occurs twice");
}

TEST(ModelCheck, ScoresAreFiniteAndTypesKnown) {
  const std::string model = test::written_model();
  refused(model + piece_field("b", PieceType::kNormal, std::nanf("")), "piece 5: expected a finite score, found nan");
  refused(model + piece_field("b", PieceType::kNormal, -std::numeric_limits<float>::infinity()),
          "piece 5: expected a finite score, found -inf");
  refused(model + piece_field("b", static_cast<PieceType>(7)), "piece 5: expected a type from 1 to 6, found 7");
  refused(model + piece_field("b", static_cast<PieceType>(0)), "piece 5: expected a type from 1 to 6, found 0");
  refused(model + piece_field("b", static_cast<PieceType>((uint64_t{1} << 32) + 3)),
          "piece 5: expected a type from 1 to 6, found 4294967299");
  refused(model + trainer_field(number_field(3, 9)), "expected a model type from 1 to 4, found 9");
}

TEST(ModelCheck, BytesAreAllThereWellWrittenOrNone) {
  const std::string model = test::written_model();
  EXPECT_NO_THROW(check_model(model + byte_pieces(256) + kByteFallback, "x"));
  refused(model + byte_pieces(255) + kByteFallback, "expected a piece for each of the 256 bytes, found 255");
  refused(model + kByteFallback, "expected a piece for each of the 256 bytes, found 0");
  refused(model + byte_pieces(256), "piece 5: is a byte, in a model without byte fallback");
  for (const char* text : {"<0xa0>", "<0x1>", "<0x123>", "x"}) {
    refused(model + piece_field(text, PieceType::kByte) + kByteFallback, "piece 5: is a byte, expected a text like");
  }
}

TEST(ModelCheck, WhatIsUnknownHasOnePieceAndSomethingIsKnown) {
  const std::string unknown = piece_field("<unk>", PieceType::kUnknown);
  refused(piece_field("a"), "expected one piece of type unknown, found 0");
  refused(unknown + piece_field("<other>", PieceType::kUnknown) + piece_field("a"),
          "expected one piece of type unknown, found 2");
  refused(unknown, "expected at least one piece with text, found none");
  refused(kBpe, "not a SentencePiece model; expected one made by ventris-vocab");
  refused(test::written_model() + trainer_field(test::bytes_field(44, std::string(600, '?'))),
          "the text for an unknown piece: expected UTF-8 of at most 512 bytes");
}

TEST(ModelCheck, AControlPieceThatATextMayHoldIsRefusedWhereItWouldBeFound) {
  const std::string model = test::written_model() + piece_field("\u00e9", PieceType::kControl);
  EXPECT_NO_THROW(check_model(model, "x"));
  refused(model + kBpe, "piece 5: is a control piece of one character");
}

TEST(ModelCheck, UserDefinedPiecesNestAsDeepAsTheLibraryHasRoomFor) {
  std::string model = test::written_model();
  for (const std::string& text : nested(kMostNestedPieces + 1)) {
    if (text.size() > 1) model += piece_field(text, PieceType::kUserDefined);
  }
  EXPECT_NO_THROW(check_model(model, "x"));
  refused(model + piece_field(std::string(100, 'a'), PieceType::kUserDefined),
          "expected at most 64 user-defined pieces each of which begins with the previous one, found 65");
}

TEST(ModelCheck, NestingIsCountedAlongOneText) {
  EXPECT_EQ(deepest_nesting({}), 0U);
  EXPECT_EQ(deepest_nesting({"b", "a", "b"}), 1U);
  EXPECT_EQ(deepest_nesting({"abc", "a", "abd", "b", "ab", "ba"}), 3U);
}

TEST(ModelCheck, RulesAreCheckedWhereverTheyStand) {
  const std::string bad = test::CharsmapWriter().texts("no end").write();
  const std::string part = "normalisation rules: damaged: expected a NUL at the end";
  refused(test::written_model() + test::charsmap_field(bad), part);
  refused(test::charsmap_field(bad) + test::written_model() + test::charsmap_field(""), part);
  refused(test::written_model() + test::bytes_field(5, test::bytes_field(2, bad)), part);
}

}  // namespace
}  // namespace ventris::text
