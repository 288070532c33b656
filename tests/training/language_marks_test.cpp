#include "training/language_marks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "backend/families.h"
#include "backend/module_weights.h"
#include "core/error.h"
#include "data/corpus.h"
#include "files/files.h"
#include "imports/import_model.h"
#include "support/errors.h"
#include "training/task.h"

namespace ventris::training {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::IsEmpty;

imports::Imported multilingual(const std::string& name) {
  return imports::import_model({VENTRIS_SOURCE "/tests/imports/data/" + name});
}

/// The settings of a run with one corpus that starts from a model.
settings::RunConfig run_from(const model::Package& package, const std::string& source, const std::string& target) {
  settings::RunConfig config;
  config.model = package.config.architecture;
  config.tokenizer.languages = package.config.tokenizer.languages;
  config.data.train = {"a", "b"};
  config.data.source_language = source;
  config.data.target_language = target;
  return config;
}

/// A model of tests/imports/make_multilingual_expected.py, and its loss by transformers.
class MultilingualLoss : public testing::TestWithParam<std::string> {};

TEST_P(MultilingualLoss, AndItsGradientsAreThoseOfTransformers) {
  const imports::Imported imported = multilingual(GetParam());
  const std::string folder = VENTRIS_SOURCE "/tests/";
  const json model = json::parse(files::read_file(folder + "imports/data/" + GetParam() + "/expected.json"));
  const json expected = json::parse(files::read_file(folder + "parity/multilingual_loss_expected.json")).at(GetParam());
  const text::Tokenizer tokenizer(imported.package.source_spm, "tokenizer");
  data::ParallelCorpus pairs;
  std::vector<uint32_t> numbers;
  pairs.begin_part(0);
  for (const json& line : model.at("lines")) {
    numbers.push_back(static_cast<uint32_t>(numbers.size()));
    pairs.add(tokenizer.encode(line.at("source").get<std::string>()),
              tokenizer.encode(line.at("target").get<std::string>()));
  }
  settings::RunConfig config = run_from(imported.package, model.at("source_language"), model.at("target_language"));
  config.training.label_smoothing = 0;
  const Task task = make_task(config, imported.package);
  const nn::Model module = backend::make_model(*imported.package.config.architecture);
  backend::load_weights(*module, model::Safetensors::parse(imported.weights, "weights"));
  module->eval();
  const data::Batch batch = task.batches->make(data::read_pairs(pairs, numbers), {pairs, numbers});
  const BatchLoss loss = task.objective->loss(*module, batch, /*learn=*/true);
  (loss.loss / static_cast<double>(batch.target_tokens)).backward();
  EXPECT_EQ(batch.target_tokens, expected.at("tokens")) << "with the language and the end of each";
  EXPECT_NEAR(loss.loss.item<double>() / static_cast<double>(batch.target_tokens), expected.at("loss"), 1e-5);
  const auto parameters = module->named_parameters();
  for (const auto& [name, norm] : expected.at("gradients").items()) {
    EXPECT_NEAR(parameters[name].grad().norm().item<double>(), norm, 1e-5) << name;
  }
}
INSTANTIATE_TEST_SUITE_P(Models, MultilingualLoss, testing::Values("m2m100", "nllb", "mbart50"));

class LanguageMarksTest : public testing::Test {
 protected:
  int32_t id(const char* piece) const { return text::Tokenizer(nllb.package.source_spm, "spm").id_of(piece); }
  std::vector<data::PairMarks> marks(const settings::RunConfig& config) const {
    return marks_of_corpora(config, nllb.package);
  }

  imports::Imported nllb = multilingual("nllb");
  settings::RunConfig run = run_from(nllb.package, "eng_Latn", "deu_Latn");
};

TEST_F(LanguageMarksTest, AreThoseOfTheModel) {
  const auto found = marks(run);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].before, ElementsAre(id("eng_Latn")));
  EXPECT_THAT(found[0].after, IsEmpty());
  EXPECT_THAT(found[0].target, ElementsAre(id("deu_Latn")));
  EXPECT_EQ(settings::most_marks(run), 1);
}

TEST_F(LanguageMarksTest, ACorpusMayHaveLanguagesOfItsOwn) {
  run.data.train = {};
  run.data.corpora.resize(2);
  run.data.corpora[1].spec.target_language = "fra_Latn";
  run.data.corpora[1].spec.tag = "";
  const auto found = marks(run);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_THAT(found[0].target, ElementsAre(id("deu_Latn")));
  EXPECT_THAT(found[1].target, ElementsAre(id("fra_Latn")));
  const settings::RunConfig valid = with_validation(run, {"further", {"c", "d"}, "fra_Latn", ""});
  const auto of_validation = marks(valid);
  ASSERT_EQ(of_validation.size(), 1U);
  EXPECT_THAT(of_validation[0].before, ElementsAre(id("fra_Latn")));
  EXPECT_THAT(of_validation[0].target, ElementsAre(id("deu_Latn")));
}

TEST_F(LanguageMarksTest, ALanguageThatTheDecoderStartsWithMustBeNamed) {
  run.data.target_language = "";
  EXPECT_FAILS(marks(run), ConfigError,
               "data.target_language: this model must be told one of deu_Latn, eng_Latn, fra_Latn (for a)");
  run.data.source_language = "";
  EXPECT_FAILS(marks(run), ConfigError, "_language: this model must be told one of deu_Latn");
}

TEST_F(LanguageMarksTest, ATagCannotTellWhatTheDecoderStartsWith) {
  run.data.train = {};
  run.data.corpora = {{{.files = {"a", "b"}, .tag = "<de>", .target_language = "deu_Latn"}}};
  EXPECT_FAILS(
      marks(run), ConfigError,
      "data.corpora: a: this model is told languages by tokens of its own, so a tag cannot tell it 'deu_Latn'");
}

TEST_F(LanguageMarksTest, TextMayHaveTheTokensIfTheyAreBeforeTheSource) {
  for (auto& [_, tokens] : nllb.package.config.tokenizer.languages) tokens = {.to_prefix = tokens.target_prefix};
  run.data.source_language = run.data.target_language = "";
  EXPECT_THAT(marks(run), IsEmpty()) << "as in models whose corpora have tags";
  run.data.target_language = "deu_Latn";
  EXPECT_THAT(marks(run).at(0).before, ElementsAre(id("deu_Latn")));
}

}  // namespace
}  // namespace ventris::training
