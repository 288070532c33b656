#include "imports/ctranslate2_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "architecture/transformer_options.h"
#include "architecture/transformer_parts.h"
#include "core/error.h"
#include "decoding/search.h"
#include "engine/factory.h"
#include "exports/ctranslate2.h"
#include "files/files.h"
#include "imports/argos_package.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "support/tiny_bundle.h"
#include "support/tiny_text.h"
#include "text/model_proto.h"
#include "text/tokenizer.h"

namespace ventris::imports {
namespace {

namespace fs = std::filesystem;
using architecture::TransformerOptions;
using nlohmann::json;
using testing::Contains;
using testing::HasSubstr;
using Ids = std::vector<int32_t>;

const std::string kModelData = VENTRIS_SOURCE "/tests/imports/data/";

const TransformerOptions& options_of(const Imported& imported) {
  return dynamic_cast<const architecture::TransformerArchitecture&>(*imported.package.config.architecture).options;
}

/// Compares an imported model with what CTranslate2 computes.
class Comparison {
 public:
  explicit Comparison(const Imported& imported)
      : imported_(imported),
        source_(imported.package.source_spm, "source"),
        target_(imported.package.target_spm, "target"),
        scorers_(engine::make_factory(imported.package.config, model::Safetensors::parse(imported.weights, "weights"),
                                      {})) {}

  /// The tokens of CTranslate2, separated by spaces, as ids.
  static Ids ids_of(const text::Tokenizer& tokenizer, const std::string& tokens, bool with_space) {
    const uint64_t unknown_from = text::parse_model_proto(tokenizer.bytes())->foreign.unknown_from;
    Ids ids;
    std::istringstream all(tokens);
    for (std::string token; all >> token;) {
      const int32_t id = tokenizer.id_of((with_space ? "\u2581" : "") + token);
      const bool known = id >= 0 && (unknown_from == 0 || static_cast<uint64_t>(id) < unknown_from);
      ids.push_back(known ? id : core::SpecialIds().unk);
    }
    return ids;
  }

  /// `spaced`: texts are tokens separated by spaces.
  void check(const json& row, bool spaced, float tolerance) const {
    const std::string tokens = row.at("source_tokens"), target_tokens = row.at("target_tokens");
    SCOPED_TRACE(tokens);
    Ids source = ids_of(source_, tokens, spaced);
    const Ids target = ids_of(target_, target_tokens, spaced);
    EXPECT_EQ(source_.encode(row.value("source", tokens)), source);
    EXPECT_EQ(target_.encode(row.value("target", target_tokens)), target);
    if (imported_.package.config.tokenizer.source_eos) source.push_back(core::SpecialIds().eos);
    check_log_probs(row.at("log_probs"), source, target, tolerance);
    check_search(source, 1, ids_of(target_, row.at("greedy"), spaced), row.value("greedy_score", kNoScore));
    check_search(source, 4, ids_of(target_, row.at("beam"), spaced), row.value("beam_score", kNoScore));
  }

 private:
  void check_log_probs(const json& expected, const Ids& source, const Ids& target, float tolerance) const {
    const std::vector<decoding::Pair> pairs{{source, target}};
    const auto answers = scorers_->make_pair_scorer()->answer(pairs, {});
    ASSERT_EQ(answers[0].log_probs.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_NEAR(answers[0].log_probs[i], expected[i].get<float>(), tolerance);
    }
  }

  static constexpr double kNoScore = 1;

  /// CTranslate2 ends a search at 30 tokens; then its score is of another length, and other hypotheses may win.
  void check_search(const Ids& source, int beam, const Ids& expected, double score) const {
    constexpr size_t kMost = 30;
    if (expected.size() == kMost && beam > 1) return;
    decoding::Sentence sentence;
    sentence.source = source;
    decoding::SearchOptions options;
    options.beam_size = beam;
    options.max_length_factor = 100;
    options.longest = kMost + 1;
    const auto scorer = scorers_->make();
    const auto found = decoding::search(*scorer, std::span(&sentence, 1), options)[0][0];
    Ids ids = found.ids;
    if (expected.size() == kMost) ids.resize(kMost);
    EXPECT_EQ(ids, expected) << "beam " << beam << ": " << found.score << " " << score;
    if (expected.size() == kMost || score == kNoScore) return;
    EXPECT_NEAR(found.score, score, 1e-4);
  }

  const Imported& imported_;
  text::Tokenizer source_, target_;
  std::unique_ptr<decoding::ScorerFactory> scorers_;
};

class CTranslate2Folder : public testing::TestWithParam<std::string> {};

TEST_P(CTranslate2Folder, TokensScoresAndSearchAreThoseOfCTranslate2) {
  const std::string folder = kModelData + "ctranslate2_" + GetParam();
  const Imported imported = from_ctranslate2_folder(folder, {});
  const Comparison comparison(imported);
  const json expected = json::parse(files::read_file(folder + "/expected.json"));
  for (const json& row : expected.at("rows")) comparison.check(row, GetParam() == "letters", 2e-5F);
}

TEST_P(CTranslate2Folder, TheBundleCanBeWrittenAndOpened) {
  const Imported imported = from_ctranslate2_folder(kModelData + "ctranslate2_" + GetParam(), {});
  const test::TempFolder folder;
  model::write_bundle(folder.path("bundle"), imported.package, imported.weights);
  EXPECT_NO_THROW(model::read_bundle(folder.path("bundle")));
}

INSTANTIATE_TEST_SUITE_P(Models, CTranslate2Folder, testing::Values("letters", "shared", "rms", "norms"));

TEST(CTranslate2Settings, AreThoseOfTheFile) {
  const Imported shared = from_ctranslate2_folder(kModelData + "ctranslate2_shared", {});
  EXPECT_EQ(shared.what, "a Transformer of CTranslate2 (file version 6, f16 and int8)");
  EXPECT_EQ(options_of(shared).norm, architecture::NormPlace::kPost);
  EXPECT_EQ(options_of(shared).activation, architecture::Activation::kSilu);
  EXPECT_EQ(options_of(shared).tying, architecture::Tying::kAll);
  EXPECT_EQ(options_of(shared).positions, architecture::Positions::kLearned);
  EXPECT_EQ(options_of(shared).max_positions, 40);
  EXPECT_EQ(options_of(shared).norm_epsilon, 1e-6);
  EXPECT_TRUE(shared.package.config.tokenizer.common_ids);
  EXPECT_TRUE(shared.package.config.tokenizer.source_eos);
  EXPECT_THAT(shared.notes, Contains("the positions are stored as a table; the longest sentence has 40 tokens"));
  const Imported rms = from_ctranslate2_folder(kModelData + "ctranslate2_rms", {});
  EXPECT_EQ(options_of(rms).norm_kind, architecture::NormKind::kRms);
  EXPECT_TRUE(options_of(rms).gated_feed_forward);
  EXPECT_FALSE(options_of(rms).attention_bias);
  EXPECT_FALSE(options_of(rms).scale_embeddings);
  EXPECT_EQ(options_of(rms).d_ff, 24);
  EXPECT_EQ(options_of(rms).decoder_d_ff, 16);
  EXPECT_FALSE(rms.package.config.tokenizer.source_eos);
  const Imported norms = from_ctranslate2_folder(kModelData + "ctranslate2_norms", {});
  EXPECT_TRUE(options_of(norms).embedding_norm);
  EXPECT_EQ(options_of(norms).tying, architecture::Tying::kNone);
}

TEST(CTranslate2Settings, AModelWithoutTokenizerTakesTokens) {
  const Imported letters = from_ctranslate2_folder(kModelData + "ctranslate2_letters", {});
  EXPECT_FALSE(letters.package.config.tokenizer.shared);
  EXPECT_THAT(letters.notes, Contains(HasSubstr("a text must be tokens separated by spaces")));
  const text::Tokenizer tokenizer(letters.package.target_spm, "target");
  const Ids ids = tokenizer.encode("d \u00e4 d");
  EXPECT_EQ(ids.size(), 3U);
  EXPECT_EQ(tokenizer.decode(ids), "d \u00e4 d");
  EXPECT_EQ(tokenizer.encode("da de d"), (Ids{1, 1, ids[0]})) << "da and de are no tokens, though d is one";
}

/// The trained models of CTranslate2's tests, which are not part of this repository.
class TrainedCTranslate2 : public testing::TestWithParam<std::string> {
 protected:
  static std::string fixtures() {
    const char* given = std::getenv("VENTRIS_FIXTURES");
    return (given != nullptr ? given : VENTRIS_SOURCE "/../shared/fixtures") + std::string("/ctranslate2");
  }
};

TEST_P(TrainedCTranslate2, ScoresAndSearchAreThoseOfCTranslate2) {
  const std::string name = "aren-transliteration" + GetParam(), folder = fixtures() + "/" + name;
  if (!fs::exists(folder)) GTEST_SKIP() << folder << ": does not exist; VENTRIS_FIXTURES names the folder of fixtures";
  const Imported imported = from_ctranslate2_folder(folder, {});
  const Comparison comparison(imported);
  const json expected = json::parse(files::read_file(kModelData + "ctranslate2_aren.json"));
  for (const json& row : expected.at("models").at(name)) comparison.check(row, true, 2e-5F);
}

INSTANTIATE_TEST_SUITE_P(Models, TrainedCTranslate2, testing::Values("", "-i8", "-i16", "-v1"));

TEST(ArgosComparison, TokensScoresAndSearchAreThoseOfCTranslate2) {
  const Imported imported = from_argos_package(kModelData + "en_de.argosmodel");
  const Comparison comparison(imported);
  const json expected = json::parse(files::read_file(kModelData + "en_de.json"));
  for (const json& row : expected.at("rows")) comparison.check(row, false, 2e-5F);
}

/// Models of ours that were exported for CTranslate2 come back as they were.
class ExportedCTranslate2 : public testing::Test {
 protected:
  ExportedCTranslate2() { package.path = "model"; }
  TransformerOptions& options() { return test::shape_of(package.config); }
  void check() const {
    const TransformerOptions& shape = test::shape_of(package.config);
    const auto tied = architecture::tied_tensors(shape.tying);
    test::TensorList tensors;
    std::map<std::string, std::string> metadata;
    for (const auto& [name, stored] : tied) metadata["alias:" + name] = stored;
    package.config.architecture->each_tensor([&](const std::string& name, const std::vector<int64_t>& sizes) {
      if (!tied.contains(name)) tensors.add(name, sizes);
    });
    const auto weights = model::Safetensors::parse(model::write_safetensors(tensors.views(), metadata), "weights");
    const test::TempFolder folder;
    for (const auto& [name, bytes] : exports::to_ctranslate2({package, weights})) folder.file(name, bytes);
    const Imported imported = from_ctranslate2_folder(folder.path(), {});
    EXPECT_EQ(imported.package.config.architecture->to_json().dump(), package.config.architecture->to_json().dump());
    EXPECT_EQ(imported.package.source_spm, package.source_spm);
    EXPECT_EQ(imported.package.target_spm, package.target_spm);
    EXPECT_EQ(imported.package.config.tokenizer.shared, package.config.tokenizer.shared);
    EXPECT_EQ(imported.package.config.tokenizer.source_eos, package.config.tokenizer.source_eos);
    check_tensors(weights, model::Safetensors::parse(imported.weights, "imported"));
  }

  model::Package package = test::tiny_package();

 private:
  static void check_tensors(const model::Safetensors& before, const model::Safetensors& after) {
    EXPECT_EQ(after.aliases(), before.aliases());
    ASSERT_EQ(after.tensors().size(), before.tensors().size());
    for (const model::TensorView& tensor : before.tensors()) {
      EXPECT_TRUE(after.at(tensor.name).bytes == tensor.bytes) << tensor.name;
    }
  }
};

TEST_F(ExportedCTranslate2, ComesBackWithTheUsualSettings) { check(); }

TEST_F(ExportedCTranslate2, ComesBackPostNormWithLearnedPositions) {
  options().norm = architecture::NormPlace::kPost;
  options().positions = architecture::Positions::kLearned;
  options().embedding_norm = true;
  options().activation = architecture::Activation::kGelu;
  options().norm_epsilon = 1e-6;
  check();
  options().final_norm = true;
  check();
}

TEST_F(ExportedCTranslate2, ComesBackWithGatesRmsAndNoBias) {
  options().norm_kind = architecture::NormKind::kRms;
  options().gated_feed_forward = true;
  options().activation = architecture::Activation::kSilu;
  options().attention_bias = false;
  options().scale_embeddings = false;
  check();
}

TEST_F(ExportedCTranslate2, ComesBackWithWordsAsItsPieces) {
  std::vector<std::string> lines = test::tiny_text();
  const text::LineSource source = [&](std::string& line) {
    if (!lines.empty()) line = lines.back();
    return !lines.empty() && (lines.pop_back(), true);
  };
  package.source_spm = package.target_spm = text::learn_tokenizer(source, {.kind = text::TokenizerKind::kPieces});
  options().src_vocab = options().tgt_vocab = text::Tokenizer(package.source_spm, "pieces").size();
  check();
}

TEST_F(ExportedCTranslate2, ComesBackWithTwoTokenizers) {
  const auto other = test::tiny_tokenizer(text::TokenizerKind::kBpe);
  package.target_spm = other.bytes();
  package.config.tokenizer.shared = false;
  package.config.tokenizer.source_eos = false;
  for (const auto tying : {architecture::Tying::kDecoder, architecture::Tying::kNone}) {
    options().tying = tying;
    options().tgt_vocab = other.size();
    check();
  }
}

}  // namespace
}  // namespace ventris::imports
