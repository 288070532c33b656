#include "exports/seq2seq_folder.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/error.h"
#include "engine/random_model.h"
#include "model/floats.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "support/tiny_bundle.h"
#include "text/model_proto.h"
#include "text/model_rewriting.h"

namespace ventris::exports {
namespace {

using architecture::TransformerOptions;
using nlohmann::json;

/// The files of a tiny model with other settings.
class Seq2SeqFolder : public testing::Test {
 protected:
  using Change = std::function<void(TransformerOptions&)>;

  std::map<std::string, std::string> files(const Change& change = [](TransformerOptions&) {}) {
    model::Package package = test::tiny_package();
    TransformerOptions& shape = test::shape_of(package.config);
    shape.tying = architecture::Tying::kAll;
    change(shape);
    model::write_bundle(folder_.path("bundle"), package, test::random_model(shape, 1).weights);
    std::map<std::string, std::string> found;
    for (const auto& [name, bytes] : to_seq2seq_folder(model::read_bundle(folder_.path("bundle")))) found[name] = bytes;
    return found;
  }
  void refused(const Change& change, const std::string& message) { EXPECT_FAILS(files(change), ModelError, message); }

  test::TempFolder folder_;
};

void post(TransformerOptions& shape) { shape.norm = architecture::NormPlace::kPost; }

TEST_F(Seq2SeqFolder, PostNormIsAMarianAndPreNormAPegasus) {
  const auto marian = files(post), pegasus = files();
  EXPECT_EQ(json::parse(marian.at("config.json")).at("architectures"), json::array({"MarianMTModel"}));
  EXPECT_EQ(json::parse(pegasus.at("config.json")).at("architectures"),
            json::array({"PegasusForConditionalGeneration"}));
  const auto names = [](const std::string& bytes) {
    const auto file = model::Safetensors::parse(bytes, "file");
    std::set<std::string> all;
    for (const auto& tensor : file.tensors()) all.insert(tensor.name);
    return all;
  };
  EXPECT_TRUE(names(pegasus.at("model.safetensors")).contains("model.encoder.layer_norm.weight"));
  EXPECT_FALSE(names(marian.at("model.safetensors")).contains("model.encoder.layer_norm.weight"));
  for (const auto* one : {&marian, &pegasus}) {
    EXPECT_TRUE(names(one->at("model.safetensors")).contains("model.shared.weight"));
    EXPECT_EQ(json::parse(one->at("tokenizer_config.json")).at("tokenizer_class"), "MarianTokenizer");
    EXPECT_EQ(json::parse(one->at("vocab.json")).at("</s>"), 3);
    EXPECT_FALSE(one->contains("target_vocab.json"));
    EXPECT_EQ(json::parse(one->at("generation_config.json")).at("num_beams"), 5);
  }
}

TEST_F(Seq2SeqFolder, FeaturesAreSinesFirst) {
  const auto exported = files(post);
  const auto file = model::Safetensors::parse(exported.at("model.safetensors"), "file");
  const model::Bundle bundle = model::read_bundle(folder_.path("bundle"));
  const auto ours = model::floats_of(bundle.weights, bundle.weights.at("encoder.layers.0.sublayer.0.norm.weight"));
  const auto theirs = model::floats_of(file, file.at("model.encoder.layers.0.self_attn_layer_norm.weight"));
  ASSERT_EQ(ours.size(), theirs.size());
  for (size_t i = 0; i < ours.size() / 2; ++i) {
    EXPECT_EQ(theirs[i], ours[2 * i]);
    EXPECT_EQ(theirs[ours.size() / 2 + i], ours[2 * i + 1]);
  }
}

TEST_F(Seq2SeqFolder, WhatTransformersDoesNotHaveIsNamed) {
  refused([](TransformerOptions& shape) { shape.tying = architecture::Tying::kDecoder; },
          "model.tying: a model with norms before its blocks (\"norm\": \"pre\") becomes a Pegasus");
  refused([](TransformerOptions& shape) { shape.norm_epsilon = 1e-6; },
          "model.norm_epsilon: transformers has only 1e-05 here, found 1e-06");
  refused([](TransformerOptions& shape) { shape.positions = architecture::Positions::kRotary; },
          "model.positions: transformers has only \"sinusoidal\", found \"rotary\"");
  refused([](TransformerOptions& shape) { shape.positions = architecture::Positions::kRelativeBias; },
          "model.positions: transformers has only \"sinusoidal\", found \"relative_bias\"");
  refused([](TransformerOptions& shape) { shape.self_attention = architecture::SelfAttention::kSsru; },
          "model.self_attention: transformers has only \"full\", found \"ssru\"");
}

TEST_F(Seq2SeqFolder, TokensOfLanguagesThatHaveNoPlaceAreRefused) {
  model::Package package = test::tiny_package();
  package.config.tokenizer.languages = {{"de", {.to_prefix = {"a"}}}};
  const auto exported = [&] {
    const std::string weights = test::tiny_weights(package.config.architecture->src_vocab());
    model::write_bundle(folder_.path("languages"), package, weights);
    return to_seq2seq_folder(model::read_bundle(folder_.path("languages")));
  };
  EXPECT_NO_THROW(exported());
  package.config.tokenizer.languages["de"].target_prefix = {"a"};
  EXPECT_FAILS(exported(), ModelError, "tokenizer.languages.de: the tokenizer of MarianMT has no place");
}

TEST_F(Seq2SeqFolder, ATokenizerOfWholeWordsIsRefused) {
  model::Package package = test::tiny_package();
  const auto model = text::parse_model_proto(package.source_spm);
  std::vector<text::NewPiece> pieces;
  for (const text::ModelPiece& piece : model->pieces)
    pieces.push_back({std::string(piece.text), piece.score, piece.type});
  package.source_spm = package.target_spm = text::with_pieces(package.source_spm, pieces, {.whole_words = true});
  model::write_bundle(folder_.path("words"), package, test::tiny_weights(package.config.architecture->src_vocab()));
  EXPECT_FAILS(to_seq2seq_folder(model::read_bundle(folder_.path("words"))), ModelError,
               "its tokenizer takes words between spaces as they are, which that of transformers cannot");
}

TEST_F(Seq2SeqFolder, ASourceWithoutItsEndIsRefused) {
  model::Package package = test::tiny_package();
  package.config.tokenizer.source_eos = false;
  model::write_bundle(folder_.path("endless"), package, test::tiny_weights(package.config.architecture->src_vocab()));
  EXPECT_FAILS(to_seq2seq_folder(model::read_bundle(folder_.path("endless"))), ModelError,
               "tokenizer.source_eos: the tokenizer of transformers always adds </s> to a source, found false");
}

}  // namespace
}  // namespace ventris::exports
