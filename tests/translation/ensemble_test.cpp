#include "translation/ensemble.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "support/copy_model.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "translation/text_scorer.h"
#include "translation/translator.h"

namespace ventris::translation {
namespace {

/// The settings of a family as in a config.json.
architecture::ArchitecturePtr family(const std::string& name, const nlohmann::json& settings) {
  core::JsonReader reader(settings, "model");
  return architecture::parse(name, "architecture", reader);
}

class Ensemble : public testing::Test {
 protected:
  void SetUp() override { test::write_copying_bundle(first); }
  void TearDown() override { unsetenv("VENTRIS_BACKEND"); }

  /// Writes a bundle whose settings differ from those of `first` by `change`, and returns its path.
  template <typename Change>
  std::string other(const Change& change) const {
    model::Package package = test::copying_package();
    change(package);
    return test::write_zero_bundle(folder.path("other"), package);
  }
  /// Expects that `first` and this model cannot be an ensemble, in either order.
  void expect_refused(const std::string& path, const std::string& part) const {
    EXPECT_FAILS(read_models({first, path}), ModelError, part);
    EXPECT_THROW(read_models({path, first}), ModelError);
    EXPECT_EQ(read_models({path}).size(), 1U) << "alone, it is a model like any other";
  }

  test::TempFolder folder;
  std::string first = folder.path("first");
};

TEST_F(Ensemble, TranslatesAndScoresLikeItsModelsIfTheyAreTheSame) {
  setenv("VENTRIS_BACKEND", COPYING_BACKEND, 1);
  for (const auto combination : {decoding::Combination::kProbs, decoding::Combination::kLogProbs}) {
    auto models = read_models({first, first, first});
    const model::Package package = models.front().package;
    const auto scorers = open_models(std::move(models), {}, {.weights = {1, 2, 3}, .combination = combination});
    auto options = suggested_options(package.config.decoding);
    options.finish.alignment = true;
    const Translator translator(package, scorers, options);
    const auto found = translator.translate({"The driver likes bread.", ""});
    EXPECT_EQ(found.front().text(), "The driver likes bread.");
    EXPECT_FALSE(found.front().candidates.front().links.empty());
    const auto one = open_scorers(std::move(read_models({first}).front()), {});
    const std::vector<TextPair> pairs{{"bread", "bread"}, {"Nobody", "bread"}};
    const auto scores = TextScorer(package, *scorers, {}).score(pairs);
    const auto expected = TextScorer(package, *one, {}).score(pairs);
    for (size_t i = 0; i < pairs.size(); ++i) EXPECT_NEAR(scores[i].log_prob, expected[i].log_prob, 1e-5);
  }
}

TEST_F(Ensemble, UnkPadAndBosAreGeneratedAsByOneModel) {
  for (const bool allow_unk : {false, true}) {
    const auto step = [&](size_t models) {
      const std::vector<std::string> paths(models, first);
      const auto scorer = open_models(read_models(paths), {.allow_unk = allow_unk})->make();
      const std::vector<int32_t> source{5}, parents{0}, last_ids{2};
      scorer->admit(std::vector<std::span<const int32_t>>{source});
      decoding::StepRequest request;
      request.parents = parents;
      request.last_ids = last_ids;
      request.continuations = 4;
      const auto found = scorer->advance(request).ids;
      return std::vector<int32_t>(found.begin(), found.end());
    };
    EXPECT_EQ(step(2), step(1));
    EXPECT_EQ(step(2).front(), allow_unk ? 1 : 3) << "all tokens have the same probability";
  }
}

TEST_F(Ensemble, MayHaveModelsOfAnyShapeThatReadAndWriteTheSameIds) {
  const std::string larger = other([](model::Package& package) {
    auto& shape = test::shape_of(package.config);
    shape.d_model = 12;
    shape.decoder_layers = 3;
    shape.max_positions = 50;
    package.config.decoding.beam_size = 7;
  });
  auto models = read_models({first, larger});
  EXPECT_EQ(models.front().package.config.decoding.beam_size, 2) << "the first model decides on the defaults";
  const auto scorers = open_models(std::move(models), {});
  EXPECT_EQ(scorers->make()->info().max_length, 50);
  EXPECT_EQ(scorers->make_pair_scorer()->attention_shape().layers, 1);
}

TEST_F(Ensemble, TokenizersMustBeTheSame) {
  const std::string spm = test::tiny_tokenizer(text::TokenizerKind::kBpe).bytes();
  const auto size = text::Tokenizer(spm, "bpe").size();
  const std::string path = folder.path("other");
  expect_refused(
      other([&](model::Package& package) {
        package.source_spm = package.target_spm = spm;
        test::shape_of(package.config).src_vocab = test::shape_of(package.config).tgt_vocab = size;
      }),
      path + ": its source tokenizer differs from that of " + first + "; the models of an ensemble need the same one");
  expect_refused(other([&](model::Package& package) {
                   package.target_spm = spm;
                   package.config.tokenizer.shared = false;
                   test::shape_of(package.config).tgt_vocab = size;
                   test::shape_of(package.config).tying = architecture::Tying::kNone;
                 }),
                 path + ": its target tokenizer differs from that of " + first);
}

TEST_F(Ensemble, LanguagesMustBeTheSame) {
  expect_refused(other([](model::Package& package) {
                   package.config.tokenizer.languages = {{"de", {.to_prefix = {"\u2581" + test::separating_word()}}}};
                 }),
                 ": its setting languages differs from that of ");
}

TEST_F(Ensemble, ContextMustBeTheSameIfItIsAskedFor) {
  const std::string with_context = other([](model::Package& package) {
    package.config.context = {.sentences = 2, .separator = "\u2581" + test::separating_word()};
    package.config.guided_attention.layer = 1;
  });
  for (const auto& paths : {std::vector{first, with_context}, {with_context, first}}) {
    const auto models = read_models(paths);
    EXPECT_EQ(common_package(models, 0).config.guided_attention.layer, 0);
    EXPECT_EQ(common_package(models, 0).config.context.sentences, 0);
    EXPECT_FAILS(common_package(models, 1), ConfigError, "have learnt different contexts (");
  }
  const auto same = read_models({with_context, with_context});
  EXPECT_EQ(common_package(same, 1).config.guided_attention.layer, 1);
  EXPECT_EQ(common_package(same, 1).config.context.sentences, 2);
}

TEST_F(Ensemble, TheEndOfSourcesMustBeTheSame) {
  expect_refused(other([](model::Package& package) { package.config.tokenizer.source_eos = false; }),
                 "its setting source_eos differs from that of");
}

TEST_F(Ensemble, VocabularySizesMustBeTheSame) {
  expect_refused(other([](model::Package& package) {
                   package.config.tokenizer.shared = false;
                   test::shape_of(package.config).tgt_vocab += 8;
                   test::shape_of(package.config).tying = architecture::Tying::kNone;
                 }),
                 "its vocabulary size differs from that of");
}

TEST_F(Ensemble, ModelsThatWriteAllTokensAtOnceAreRefused) {
  expect_refused(other([](model::Package& package) {
                   const auto& shape = *package.config.architecture;
                   package.config.architecture =
                       family("transformer-nat", {{"d_model", 8}, {"d_ff", 4}, {"heads", 2}, {"encoder_layers", 1}})
                           ->with_vocabularies(shape.src_vocab(), shape.tgt_vocab());
                 }),
                 "other: models of the family 'transformer-nat' write all tokens at once, so they cannot be part of an "
                 "ensemble; leave it out");
}

TEST_F(Ensemble, ModelsThatDoNotTranslateAreRefused) {
  expect_refused(
      other([](model::Package& package) {
        const auto size = package.config.architecture->src_vocab();
        package.config.architecture =
            family("bert", {{"d_model", 8}, {"d_ff", 4}, {"heads", 2}, {"layers", 1}})->with_vocabularies(size, size);
      }),
      "other: models of the family 'bert' do not translate, so they cannot be part of an ensemble");
}

TEST_F(Ensemble, AModelThatCannotBeOpenedIsNamed) {
  EXPECT_FAILS(read_models({first, folder.path("none")}), ModelError, folder.path("none"));
  EXPECT_FAILS(open_models(read_models({first, first}), {.device = "cuda", .backend = Backend::kEngine}), ConfigError,
               first + ": backend engine: the engine cannot run this model");
  EXPECT_FAILS(open_models(read_models({first, first}), {}, {.weights = {1}}), std::invalid_argument,
               "a weight for each");
  EXPECT_FAILS(read_models({}), std::invalid_argument, "no model");
}

}  // namespace
}  // namespace ventris::translation
