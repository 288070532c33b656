#include "run/model_keeper.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/log.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "support/tiny_bundle.h"

namespace ventris::run {
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

  ModelKeeper keeper() const {
    return {config, run, package, [this] { return bytes; }};
  }
  std::string weights(const std::string& path) const { return test::file_bytes(path + "/model.safetensors"); }
  static json provenance(const std::string& path) { return json::parse(model::read_package(path).config.provenance); }

  test::TempFolder folder;
  RunFolder run{folder.path()};
  settings::RunConfig config;
  TrainingState state;
  model::Package package = test::tiny_package();
  std::string bytes = test::tiny_weights(package.config.architecture->src_vocab());  // the model's weights
};

TEST_F(ModelKeeperTest, TheBestIsWrittenAndRemembered) {
  keeper().keep_best(state, {12.5, 3.25});
  EXPECT_EQ(state.best, 12.5);
  EXPECT_EQ(state.best_loss, 3.25);
  EXPECT_EQ(state.best_updates, 100);
  EXPECT_EQ(weights(run.best()), bytes);
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
  EXPECT_FAILS(one.settle(), WriteError, "cannot create the folder");
  fs::remove(obstacle);
  one.settle();
  EXPECT_EQ(weights(run.model(100)), bytes);
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
  EXPECT_FALSE(keeper().averaged(state, {{100, {}}}));
  keeper().keep(state, {});
  keeper().write_averaged(state, state.models, keeper().average(state.models), {});
  EXPECT_TRUE(keeper().averaged(state, {{100, {}}}));
  EXPECT_FALSE(keeper().averaged(state, {{100, {}}, {200, {}}}));
  fs::resize_file(run.averaged() + "/config.json", 10);
  EXPECT_FALSE(keeper().averaged(state, {{100, {}}}));
  config.training.average_last = 0;
  EXPECT_TRUE(keeper().averaged(state, {}));
}

TEST_F(ModelKeeperTest, AnAverageOfAsManyModelsAsAreWantedStaysWhenOneOfThemIsGone) {
  keeper().keep(state, {});
  state.progress.updates = 200;
  keeper().keep(state, {});
  keeper().write_averaged(state, state.models, keeper().average(state.models), {});
  EXPECT_TRUE(keeper().averaged(state, {{200, {}}}));
  state.progress.updates = 300;  // it went on
  EXPECT_FALSE(keeper().averaged(state, {{200, {}}}));
  state.progress.updates = 200;
  EXPECT_FALSE(keeper().averaged(state, {{150, {}}})) << "another model";
  EXPECT_FALSE(keeper().averaged(state, {{150, {}}, {200, {}}})) << "as many as wanted, but others";
  config.training.average_last = 3;
  EXPECT_FALSE(keeper().averaged(state, {{200, {}}}));
}

TEST_F(ModelKeeperTest, ABestModelThatIsNotTheOneOfTheStateIsSaid) {
  core::set_log_level("info");
  const auto warning = [&] {
    testing::internal::CaptureStderr();
    keeper().check_best(state);
    return testing::internal::GetCapturedStderr();
  };
  EXPECT_EQ(warning(), "") << "nothing was validated";
  keeper().keep_best(state, {12.5, 3.25});
  EXPECT_EQ(warning(), "");
  state.best_updates = 90;
  EXPECT_EQ(warning(), "") << "it was written after the checkpoint";
  state.best_updates = 110;
  EXPECT_NE(warning().find("the best model, of update 110, was expected, found one of update 100; the run continues"),
            std::string::npos);
  state.best_updates = 100;
  std::ofstream(run.best() + "/model.safetensors", std::ios::app) << "x";
  EXPECT_NE(warning().find("damaged"), std::string::npos);
  fs::remove_all(run.best());
  EXPECT_NE(warning().find("the best model, of update 100, is gone; the run continues"), std::string::npos);
  state.best_updates = 0;  // the model from which fine-tuning starts
  EXPECT_NE(warning().find("the best model, of update 0, is gone; the run continues"), std::string::npos);
  state.best_updates.reset();
  EXPECT_EQ(warning(), "") << "its update is not known";
}

TEST_F(ModelKeeperTest, ABundleSaysWhetherACheckpointWasThereBefore) {
  keeper().keep_best(state, {12.5, 3.25});
  EXPECT_EQ(provenance(run.best()).at("checkpointed"), false);
  fs::create_directories(run.checkpoints() + "/step-00000100");
  fs::create_symlink("checkpoints/step-00000100", run.latest());
  keeper().keep_best(state, {12.75, 3});
  EXPECT_EQ(provenance(run.best()).at("checkpointed"), true);
}

TEST_F(ModelKeeperTest, AFinalModelThatCannotBeWrittenIsAnError) {
  config.training.finetune_from = "elsewhere";
  keeper().write_final(state);
  EXPECT_EQ(provenance(run.final()).at("finetuned_from"), "elsewhere");
  const std::string file = folder.file("file", "");
  EXPECT_FAILS(ModelKeeper(config, RunFolder{file}, package, [this] { return bytes; }).write_final(state), WriteError,
               "cannot create");
}

}  // namespace
}  // namespace ventris::run
