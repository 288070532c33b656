#include "settings/resumable.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "settings/run_config.h"
#include "support/errors.h"
#include "support/setting_probes.h"
#include "support/shape_of.h"

namespace ventris::settings {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class CheckResumable : public testing::Test {
 protected:
  std::vector<std::string> changes() const { return check_resumable(begun.to_json(), now.to_json()); }

  RunConfig begun, now;
};

TEST_F(CheckResumable, KeepsTheChangesOfTheTrainingText) {
  now.data.modifiers = {{modifiers::ModifierKind::kUpper, 0.1}};
  EXPECT_FAILS(
      changes(), ConfigError,
      "data.modifiers: the run was begun with [] and cannot be resumed with [{\"kind\":\"upper\",\"share\":0.1}]");
}

TEST_F(CheckResumable, LetsLengthFrequenciesPatienceAndAveragingChangeAndNamesEach) {
  EXPECT_THAT(changes(), IsEmpty());
  now.training.after = Period::parse("99e", "x");
  now.training.save_every = Period::parse("7u", "x");
  now.training.average_last = 5;
  now.training.report = false;
  now.validation.patience = 3;
  EXPECT_THAT(changes(), ElementsAre("training.after: \"0\" before, \"99e\" from now on",
                                     "training.average_last: 0 before, 5 from now on",
                                     "training.report: true before, false from now on",
                                     "training.save_every: \"1000u\" before, \"7u\" from now on",
                                     "validation.patience: 0 before, 3 from now on"));
}

TEST_F(CheckResumable, ACorpusThatHasMovedIsNamedWhole) {
  begun.data.train = {"a.en", "a.de"};
  now.data.train = {"b.tsv", ""};
  EXPECT_THAT(changes(), ElementsAre("data.train: [\"a.en\",\"a.de\"] before, [\"b.tsv\"] from now on"));
}

TEST_F(CheckResumable, ValidationCorporaMayChange) {
  begun.data.valid = now.data.valid = {"v.en", "v.de"};
  now.data.further_valid = {{"news", {"n.en", "n.de"}}};
  EXPECT_THAT(changes(),
              ElementsAre("data.further_valid: [] before, [{\"files\":[\"n.en\",\"n.de\"],\"name\":\"news\"}] "
                          "from now on"));
}

TEST_F(CheckResumable, CorporaMayMoveButNeitherTheirSharesNorTheirTagsNorTheirNumberChange) {
  CorpusConfig corpus;
  corpus.spec.files = {"a.tsv", ""};
  corpus.weight = 2;
  begun.data.corpora = now.data.corpora = {corpus, corpus};
  now.data.corpora[0].spec.files = {"b.en", "b.de"};
  now.data.corpora[1].spec.line_weights = "weights";
  now.data.cache = "elsewhere";
  EXPECT_EQ(changes().size(), 2U);
  now.data.corpora[1].weight = 3;
  EXPECT_FAILS(changes(), ConfigError, "data.corpora: the run was begun with");
  now.data.corpora[1] = corpus;
  now.data.corpora[1].spec.tag = "<bt>";
  EXPECT_FAILS(changes(), ConfigError, "data.corpora: the run was begun with");
  now.data.corpora.pop_back();
  EXPECT_FAILS(changes(), ConfigError, "data.corpora: the run was begun with");
}

TEST_F(CheckResumable, OnlyTheNamedSettingsMayChangeAndNoneWhoseNameBeginsLikeThem) {
  nlohmann::json before = begun.to_json(), after = before;
  before["training"]["threads_of_io"] = 1;
  after["training"]["threads_of_io"] = 2;
  EXPECT_FAILS(check_resumable(before, after), ConfigError, "training.threads_of_io: the run was begun with 1");
}

TEST_F(CheckResumable, RefusesAnotherModelAndSaysBothValues) {
  test::shape_of(now.model).d_model = 256;
  EXPECT_FAILS(changes(), ConfigError, "model.d_model: the run was begun with 512 and cannot be resumed with 256");
}

TEST_F(CheckResumable, TheBundleIsNamedBeforeTheShapeThatItBroughtAndByItsPlace) {
  begun.training.finetune_from = "base/best";
  test::shape_of(begun.model).d_ff = 64;
  EXPECT_FAILS(changes(), ConfigError,
               "training.finetune_from: the run was begun with \"base/best\" and cannot be resumed with \"\"");
  now = begun;
  now.training.finetune_from = std::filesystem::absolute("base/best").string();
  EXPECT_TRUE(changes().empty());
  begun.training.encoder_from = "bert/best";
  EXPECT_FAILS(changes(), ConfigError, "training.encoder_from: the run was begun with \"bert/best\"");
  now.training.encoder_from = "./bert/best";
  EXPECT_TRUE(changes().empty());
}

TEST_F(CheckResumable, RefusesASettingThatOnlyOneHas) {
  test::shape_of(now.model).attention_dropout = 0.5;
  EXPECT_FAILS(changes(), ConfigError,
               "model.attention_dropout: the run was begun with nothing and cannot be resumed with 0.5");
  std::swap(begun, now);
  EXPECT_FAILS(changes(), ConfigError,
               "model.attention_dropout: the run was begun with 0.5 and cannot be resumed with nothing");
}

TEST(OnResume, SaysOfEachSettingWhatCheckResumableDoes) {
  const nlohmann::json begun = RunConfig().to_json();
  for (const auto& section : RunConfig::describe()) {
    for (const auto& setting : section.settings) {
      const auto at = test::pointer_to(setting.path);
      if (!begun.contains(at)) continue;
      nlohmann::json now = begun;
      now[at] = setting.path == "data.corpora" ? nlohmann::json::parse(R"([{"tsv": "a"}])")
                                               : nlohmann::json("something else");
      if (on_resume(setting.path) == OnResume::kKept) {
        EXPECT_FAILS(check_resumable(begun, now), ConfigError, setting.path + ": the run was begun with");
      } else {
        EXPECT_EQ(check_resumable(begun, now).size(), 1U) << setting.path;
      }
      EXPECT_EQ(setting.on_resume, name_of(on_resume(setting.path)));
    }
  }
}

}  // namespace
}  // namespace ventris::settings
