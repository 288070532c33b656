#include "run/kept_models.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "core/error.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "support/tiny_bundle.h"

namespace ventris::run {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class KeptModels : public testing::Test {
 protected:
  /// Validates every 10 updates with these values. Returns the updates of what is kept.
  std::vector<int64_t> keep(const std::vector<std::optional<double>>& values) {
    models.clear();
    int64_t updates = 0;
    for (const auto& value : values) add_model(models, {updates += 10, value}, config);
    return updates_of(models);
  }
  static std::vector<int64_t> updates_of(const std::vector<KeptModel>& list) {
    std::vector<int64_t> found;
    for (const KeptModel& model : list) found.push_back(model.updates);
    return found;
  }
  std::vector<int64_t> averaged() const { return updates_of(models_to_average(models, config)); }

  settings::RunConfig config;
  std::vector<KeptModel> models;
};

TEST_F(KeptModels, NoneIsKeptUnlessItIsAskedFor) {
  EXPECT_THAT(keep({1, 2, 3}), IsEmpty());
  EXPECT_THAT(averaged(), IsEmpty());
}

TEST_F(KeptModels, TheNewestFewAreKeptForTheirAverage) {
  config.training.average_last = 2;
  EXPECT_THAT(keep({9, {}, 3, 4}), ElementsAre(30, 40));
  EXPECT_THAT(averaged(), ElementsAre(30, 40));
  EXPECT_THAT(keep({9}), ElementsAre(10));
  EXPECT_THAT(averaged(), ElementsAre(10));
}

TEST_F(KeptModels, TheBestFewAreKeptInTheOrderOfUpdates) {
  config.training.keep_best = 3;
  EXPECT_THAT(keep({5, 1, 9, {}, 4, 7}), ElementsAre(10, 30, 60));
  EXPECT_THAT(averaged(), IsEmpty());
  config.training.average_best = 2;
  EXPECT_THAT(averaged(), ElementsAre(30, 60));
}

TEST_F(KeptModels, OfEqualsTheEarlierIsBetter) {
  config.training.average_best = 2;
  EXPECT_THAT(keep({5, 5, 5, 5}), ElementsAre(10, 20));
}

TEST_F(KeptModels, OfEqualValuesTheLowerLossIsBetter) {
  config.training.keep_best = 2;
  int64_t updates = 0;
  for (const double loss : {7.0, 6.0, 5.0, 5.5}) add_model(models, {updates += 10, 0.0, loss}, config);
  EXPECT_THAT(updates_of(models), ElementsAre(30, 40));
}

TEST_F(KeptModels, LessLossIsBetter) {
  config.training.average_best = 2;
  config.validation.metric = settings::Metric::kLoss;
  EXPECT_THAT(keep({5, 1, 9, 2}), ElementsAre(20, 40));
}

TEST_F(KeptModels, TheNewestAndTheBestAreKeptTogether) {
  config.training.average_last = 2;
  config.training.keep_best = 2;
  EXPECT_THAT(keep({5, 9, 1, 2, 3}), ElementsAre(10, 20, 40, 50));
  EXPECT_THAT(averaged(), ElementsAre(40, 50));
}

TEST_F(KeptModels, WhatIsNoLongerKeptIsNamed) {
  config.training.average_best = 2;
  EXPECT_THAT(add_model(models, {10, 5.0}, config), IsEmpty());
  EXPECT_THAT(add_model(models, {20, 6.0}, config), IsEmpty());
  EXPECT_THAT(updates_of(add_model(models, {30, 1.0}, config)), ElementsAre(30));
  EXPECT_THAT(updates_of(add_model(models, {40, 7.0}, config)), ElementsAre(10));
  EXPECT_THAT(updates_of(models), ElementsAre(20, 40));
}

TEST_F(KeptModels, AModelOfTheSameUpdateTakesItsPlace) {
  config.training.average_last = 2;
  add_model(models, {10, 5.0}, config);
  add_model(models, {20, 5.0}, config);
  EXPECT_THAT(add_model(models, {20, 6.0}, config), IsEmpty());
  EXPECT_THAT(models, ElementsAre(KeptModel{10, 5.0}, KeptModel{20, 6.0}));
}

class BundleWriterTest : public testing::Test {
 protected:
  BundleWriterTest() { testing::internal::CaptureStderr(); }
  ~BundleWriterTest() override { testing::internal::GetCapturedStderr(); }

  void write() { writer.write(path, package, weights); }

  test::TempFolder folder;
  std::string parent = folder.file("parent", "a file where the folder should be");
  std::string path = parent + "/best";
  model::Package package = test::tiny_package();
  std::string weights = test::tiny_weights(package.config.architecture->src_vocab());
  BundleWriter writer;
};

TEST_F(BundleWriterTest, WhatCannotBeWrittenIsWrittenLater) {
  write();
  const std::string log = testing::internal::GetCapturedStderr();
  testing::internal::CaptureStderr();
  EXPECT_THAT(log, testing::HasSubstr("it is kept in memory, and training continues"));
  EXPECT_FAILS(writer.settle(), WriteError, "cannot create the folder");
  std::filesystem::remove(parent);
  writer.settle();
  EXPECT_EQ(test::file_bytes(path + "/model.safetensors"), weights);
  std::filesystem::remove_all(parent);
  writer.settle();  // once
  EXPECT_FALSE(std::filesystem::exists(parent));
}

TEST_F(BundleWriterTest, WhatIsForgottenIsNotWritten) {
  write();
  writer.forget(path);
  EXPECT_NO_THROW(writer.settle());
}

TEST_F(BundleWriterTest, ANewerVersionReplacesTheOneInMemory) {
  write();
  std::filesystem::remove(parent);
  package.config.decoding.beam_size = 9;
  write();
  writer.settle();
  EXPECT_EQ(model::read_bundle(path).package.config.decoding.beam_size, 9);
}

}  // namespace
}  // namespace ventris::run
