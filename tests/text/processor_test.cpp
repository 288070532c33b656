#include "text/processor.h"

#include <gtest/gtest.h>
#include <sentencepiece_processor.h>

#include "core/error.h"
#include "support/errors.h"
#include "support/model_writer.h"
#include "support/tiny_text.h"

namespace ventris::text {
namespace {

TEST(LoadProcessor, LoadsWhatIsUsableAndReturnsItsPieces) {
  const Tokenizer learnt = test::tiny_tokenizer(TokenizerKind::kUnigram);
  const std::string bytes(learnt.bytes());
  sentencepiece::SentencePieceProcessor processor;
  const ModelProto model = load_processor(processor, bytes, "x");
  EXPECT_EQ(static_cast<int>(model.pieces.size()), processor.GetPieceSize());
  EXPECT_EQ(model.pieces[5].text, processor.IdToPiece(5));
  EXPECT_EQ(processor.EncodeAsIds("Nobody sees bread."), learnt.encode("Nobody sees bread."));
}

TEST(LoadProcessor, ItsSelfTestsAreNotRun) {
  // Field 4 of a model has texts, each with the pieces that encoding it should give.
  const std::string wrong =
      test::bytes_field(4, test::bytes_field(1, test::bytes_field(1, "a") + test::bytes_field(2, "no such piece")));
  const std::string bytes = std::string(test::tiny_tokenizer(TokenizerKind::kUnigram).bytes()) + wrong;
  sentencepiece::SentencePieceProcessor processor;
  EXPECT_TRUE(load_processor(processor, bytes, "x").self_tests);
  EXPECT_GT(processor.GetPieceSize(), 0);
}

TEST(LoadProcessor, WhatIsNoModelIsRefusedWithItsName) {
  sentencepiece::SentencePieceProcessor processor;
  EXPECT_FAILS(load_processor(processor, "no model", "run/source.spm"), ModelError, "run/source.spm: ");
  EXPECT_FAILS(load_processor(processor, "", "empty.spm"), ModelError, "empty.spm: ");
}

}  // namespace
}  // namespace ventris::text
