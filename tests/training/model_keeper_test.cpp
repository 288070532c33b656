#include "training/model_keeper.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "backend/module_weights.h"
#include "core/error.h"
#include "core/log.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "support/tiny_bundle.h"

namespace ventris::training {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class ModelKeeperTest : public testing::Test {
 protected:
  ModelKeeperTest() {
    core::set_log_level("off");
    config.training.average_last = 2;
    state.progress.updates = 100;
  }
  ~ModelKeeperTest() override { core::set_log_level("info"); }

  ModelKeeper keeper() const { return {config, run, package, model}; }
  std::string weights(const std::string& path) const { return test::file_bytes(path + "/model.safetensors"); }
  static json provenance(const std::string& path) { return json::parse(model::open_package(path).config.provenance); }

  test::TempFolder folder;
  RunFolder run{folder.path()};
  RunConfig config;
  TrainingState state;
  model::Package package = test::tiny_package();
  nn::EncoderDecoder model = nn::make_model(backend::to_options(package.config.transformer));
};

TEST_F(ModelKeeperTest, TheBestIsWrittenAndRemembered) {
  keeper().keep_best(state, {12.5, 3.25});
  EXPECT_EQ(state.best, 12.5);
  EXPECT_EQ(state.best_loss, 3.25);
  EXPECT_EQ(state.best_updates, 100);
  EXPECT_EQ(weights(run.best()), backend::save_weights(*model));
  EXPECT_EQ(provenance(run.best()).at("best_bleu"), 12.5);
  EXPECT_EQ(provenance(run.best()).at("updates"), 100);
}

TEST_F(ModelKeeperTest, AModelIsKeptWithItsValueIfThatIsANumber) {
  keeper().keep(state, ValidationScore{12.5, 3.25});
  EXPECT_EQ(provenance(run.model(100)).at("bleu"), 12.5);
  state.progress.updates = 200;
  keeper().keep(state, ValidationScore{std::numeric_limits<double>::quiet_NaN(), 3});
  EXPECT_FALSE(provenance(run.model(200)).contains("bleu"));
  EXPECT_EQ(state.models, (std::vector<KeptModel>{{100, 12.5, 3.25}, {200, {}}}));
}

TEST_F(ModelKeeperTest, NothingIsWrittenThatIsNotWanted) {
  config.training.average_last = 0;
  keeper().keep(state, ValidationScore{12.5, 3.25});
  EXPECT_TRUE(state.models.empty());
  EXPECT_FALSE(fs::exists(run.models()));
}

TEST_F(ModelKeeperTest, WhatCouldNotBeWrittenIsWrittenWhenItCan) {
  const std::string obstacle = folder.file("models", "a file where the folder should be");
  ModelKeeper one = keeper();
  one.keep(state, ValidationScore{12.5, 3.25});
  EXPECT_FAILS(one.settle(), WriteError, "cannot make the folder");
  fs::remove(obstacle);
  one.settle();
  EXPECT_EQ(weights(run.model(100)), backend::save_weights(*model));
}

TEST_F(ModelKeeperTest, AModelThatIsGoneIsNoLongerListed) {
  keeper().keep(state, {});
  state.models.push_back({200, {}});
  keeper().forget_lost(state);
  EXPECT_EQ(state.models, (std::vector<KeptModel>{{100, {}}}));
}

TEST_F(ModelKeeperTest, AnAverageSaysOfWhichModelsItIs) {
  keeper().keep(state, {});
  const std::string mean = keeper().average(state.models);
  keeper().write_averaged(state, state.models, mean, 13.5);
  EXPECT_EQ(weights(run.averaged()), mean);
  EXPECT_EQ(provenance(run.averaged()).at("average_of"), json{100});
  EXPECT_EQ(provenance(run.averaged()).at("bleu"), 13.5);
}

TEST_F(ModelKeeperTest, AnAverageStandsOnlyForTheModelsItIsOf) {
  EXPECT_TRUE(keeper().averaged({}));
  EXPECT_FALSE(keeper().averaged({{100, {}}}));
  keeper().keep(state, {});
  keeper().write_averaged(state, state.models, keeper().average(state.models), {});
  EXPECT_TRUE(keeper().averaged({{100, {}}}));
  EXPECT_FALSE(keeper().averaged({{100, {}}, {200, {}}}));
  fs::resize_file(run.averaged() + "/config.json", 10);
  EXPECT_FALSE(keeper().averaged({{100, {}}}));
}

TEST_F(ModelKeeperTest, AFinalModelThatCannotBeWrittenIsAnError) {
  config.training.finetune_from = "elsewhere";
  keeper().write_final(state);
  EXPECT_EQ(provenance(run.final()).at("finetuned_from"), "elsewhere");
  const std::string file = folder.file("file", "");
  EXPECT_FAILS(ModelKeeper(config, RunFolder{file}, package, model).write_final(state), WriteError, "cannot make");
}

}  // namespace
}  // namespace ventris::training
