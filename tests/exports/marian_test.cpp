#include "exports/marian.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "engine/random_model.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "support/tiny_bundle.h"
#include "support/zero_start.h"
#include "text/model_proto.h"
#include "text/model_rewriting.h"

namespace ventris::exports {
namespace {

using architecture::NormPlace;
using architecture::Positions;
using architecture::TransformerOptions;
using testing::HasSubstr;

/// A tiny model that Marian has, with other settings.
class MarianFolder : public testing::Test {
 protected:
  using Change = std::function<void(TransformerOptions&)>;

  /// Marian starts with zeros, unless `start` is another number.
  model::Bundle bundle(const Change& change, float start = 0) {
    TransformerOptions& shape = test::shape_of(package_.config);
    shape.tying = architecture::Tying::kAll;
    shape.positions = Positions::kHalvedSinusoidal;
    shape.zero_start = true;
    shape.norm = NormPlace::kPost;
    shape.norm_epsilon = 1e-6;
    shape.d_model = shape.d_ff = 64;
    change(shape);
    const std::string weights = test::with_start(test::random_model(shape, 1).weights, start);
    model::write_bundle(folder_.path("bundle"), package_, weights);
    return model::read_bundle(folder_.path("bundle"));
  }
  std::map<std::string, std::string> files(const std::vector<files::NamedBytes>& all) {
    std::map<std::string, std::string> found;
    for (const auto& [name, bytes] : all) found[name] = bytes;
    return found;
  }
  void refused(const Change& change, const std::string& message) {
    EXPECT_FAILS(to_marian(bundle(change)), ModelError, message);
    package_ = test::tiny_package();
  }

  model::Package package_ = test::tiny_package();
  test::TempFolder folder_;
};

void nothing(TransformerOptions&) {}

TEST_F(MarianFolder, HasOneVocabularyIfBothSidesHave) {
  const auto found = files(to_marian(bundle(nothing)));
  EXPECT_THAT(found.at("decoder.yml"), HasSubstr("vocabs:\n  - vocab.spm\n  - vocab.spm\n"));
  EXPECT_THAT(found.at("model.npz"), HasSubstr("Wemb.npy"));
  const auto pieces = text::parse_model_proto(found.at("vocab.spm"))->pieces;
  EXPECT_EQ(pieces[0].text, "</s>");
  EXPECT_EQ(pieces[1].type, text::PieceType::kUnknown);
  EXPECT_EQ(pieces.size() + 2, static_cast<size_t>(test::shape_of(package_.config).src_vocab));
}

TEST_F(MarianFolder, HasAShortlistIfThereIsALexicon) {
  const auto size = static_cast<uint32_t>(test::shape_of(bundle(nothing).package.config).src_vocab);
  const model::Lexicon lexicon({size, size, 1, 1}, {5}, std::vector<std::vector<int32_t>>(size));
  const auto found = files(to_marian(bundle(nothing), {&lexicon}));
  EXPECT_THAT(found.at("decoder.yml"), HasSubstr("shortlist:\n  - lex.s2t.bin\n  - false\n"));
  EXPECT_EQ(found.at("lex.s2t.bin"), marian_shortlist(lexicon, {}, 1));
  const auto without = files(to_marian(bundle(nothing)));
  EXPECT_FALSE(without.contains("lex.s2t.bin"));
  EXPECT_EQ(without.at("decoder.yml").find("shortlist"), std::string::npos);
  const auto in_8_bits = files(to_bergamot(bundle(nothing), {&lexicon}));
  EXPECT_THAT(in_8_bits.at("config.bergamot.yml"), HasSubstr("shortlist:\n  - lex.s2t.bin\n  - false\n"));
  EXPECT_EQ(in_8_bits.at("lex.s2t.bin"), marian_shortlist(lexicon, {}, 8));
}

TEST_F(MarianFolder, HasTwoVocabulariesIfTheSidesDiffer) {
  package_.config.tokenizer.shared = false;
  package_.target_spm += std::string("\xFA\x3E\x00", 3);  // a field that nobody knows
  const auto found =
      files(to_marian(bundle([](TransformerOptions& shape) { shape.tying = architecture::Tying::kNone; })));
  EXPECT_THAT(found.at("decoder.yml"), HasSubstr("vocabs:\n  - source.spm\n  - target.spm\n"));
  EXPECT_THAT(found.at("model.npz"), HasSubstr("decoder_ff_logit_out_Wt.npy"));
  EXPECT_TRUE(found.contains("target.spm"));
}

TEST_F(MarianFolder, OfBergamotHasAMultipleOf8Tokens) {
  const auto found = files(to_bergamot(bundle(nothing)));
  EXPECT_THAT(found.at("config.bergamot.yml"), HasSubstr("gemm-precision: int8shiftAll\n"));
  EXPECT_EQ(text::parse_model_proto(found.at("vocab.spm"))->pieces.size() % 8, 0U);
  EXPECT_TRUE(found.contains("model.bin"));
}

TEST_F(MarianFolder, WhatMarianDoesNotHaveIsNamed) {
  refused([](TransformerOptions& shape) { shape.positions = Positions::kSinusoidal; },
          "model.positions: Marian has only \"sinusoidal_halves\", found \"sinusoidal\"; train a model with this");
  refused([](TransformerOptions& shape) { shape.positions = Positions::kLearned; },
          "model.positions: Marian has only \"sinusoidal\" or \"sinusoidal_halves\", found \"learned\"");
  refused([](TransformerOptions& shape) { shape.zero_start = false; },
          "model.zero_start: Marian has only true, found false");
  refused([](TransformerOptions& shape) { shape.norm_epsilon = 1e-5; },
          "model.norm_epsilon: Marian has only 1e-06, found 1e-05");
  refused([](TransformerOptions& shape) { shape.norm = NormPlace::kPre; },
          "model.norm: marian-decoder leaves out a norm of a decoder with norms before its blocks (\"pre\")");
  refused([](TransformerOptions& shape) { shape.activation = architecture::Activation::kGeluSigmoid; },
          "model.activation: Marian has only \"relu\" or \"gelu\" or \"silu\", found \"gelu_sigmoid\"");
  EXPECT_FAILS(to_marian(bundle(nothing, 0.5F)), ModelError,
               "model.safetensors: expected zeros in the embedding of <s>, with which Marian starts a translation");
}

TEST_F(MarianFolder, WhatBergamotDoesNotHaveIsNamed) {
  const auto refused_there = [&](const Change& change, const std::string& message) {
    EXPECT_FAILS(to_bergamot(bundle(change)), ModelError, message);
    package_ = test::tiny_package();
  };
  refused_there([](TransformerOptions& shape) { shape.d_ff = 96; },
                "model.d_ff: Bergamot multiplies in 8 bits only widths that are multiples of 64, found 96");
  refused_there([](TransformerOptions& shape) { shape.activation = architecture::Activation::kGelu; },
                "model.activation: Bergamot has only \"relu\" or \"gelu_sigmoid\" or \"silu\", found \"gelu\"");
  refused_there(
      [](TransformerOptions& shape) {
        shape.norm = NormPlace::kPre;
        shape.self_attention = architecture::SelfAttention::kSsru;
      },
      "model.norm: the engine of Bergamot gives wrong translations of models with norms before their blocks (\"pre\"); "
      "train a model with \"post\"");
  refused_there([](TransformerOptions& shape) { shape.norm_kind = architecture::NormKind::kRms; },
                "model.norm_kind: Bergamot has only \"layer\", found \"rms\"");
}

TEST_F(MarianFolder, TextsThatMarianWouldReadOtherwiseAreRefused) {
  package_.config.tokenizer.source_eos = false;
  refused(nothing, "tokenizer.source_eos: Marian always ends a source with </s>, found false");
  package_.config.tokenizer.languages = {{"de", {.to_prefix = {"a"}}}};
  refused(nothing, "tokenizer.languages: Marian has no place for the tokens of languages");
  const auto model = text::parse_model_proto(package_.source_spm);
  std::vector<text::NewPiece> pieces;
  for (const auto& piece : model->pieces) pieces.push_back({std::string(piece.text), piece.score, piece.type});
  package_.source_spm = package_.target_spm = text::with_pieces(package_.source_spm, pieces, {.whole_words = true});
  refused(nothing, "its tokenizer has pieces without a row, or takes words as they are");
}

}  // namespace
}  // namespace ventris::exports
