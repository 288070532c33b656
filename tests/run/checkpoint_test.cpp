#include "run/checkpoint.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "files/folders.h"
#include "support/errors.h"
#include "support/file_size_limit.h"
#include "support/temp_folder.h"

namespace ventris::run {
namespace {

namespace fs = std::filesystem;

std::string weights(float value) {
  const std::string bytes(reinterpret_cast<const char*>(&value), sizeof value);
  return model::write_safetensors({{"w", model::DType::kF32, {1}, bytes}}, {});
}

void save(const RunFolder& run, int64_t updates, int64_t keep = 2) {
  TrainingState state;
  state.progress = {3, updates, 12345, 1.5};
  state.handled = {3, updates - 1, 12000, 1.25};
  state.position = {3, 17};
  state.validations = 4;
  state.last_validated = 8;
  state.stalled = 1;
  state.best = 27.125;
  state.best_loss = 3.5;
  state.best_updates = 450;
  state.validation_corpus = "10 pairs, crc32 01234567";
  state.bad_updates = 2;
  state.sums = {9, 1.5, 1.25, 99, 88.5, 0.5, 2.75};
  state.models = {{updates - 50, 26.5, 3.75}, {updates, {}}};
  save_checkpoint(run, {state, R"({"a":1})", R"({"threads":2})", weights(1.5F), weights(2.5F), "source", "target"},
                  keep);
}

TEST(Checkpoint, ComesBackAsItWasSaved) {
  const test::TempFolder folder;
  const RunFolder run{folder.path()};
  save(run, 500);
  const auto loaded = load_newest_checkpoint(run);
  ASSERT_TRUE(loaded);
  const TrainingState& state = loaded->state;
  EXPECT_EQ(state.progress.updates, 500);
  EXPECT_EQ(state.progress.epoch, 3U);
  EXPECT_EQ(state.progress.tokens, 12345);
  EXPECT_EQ(state.progress.minutes, 1.5);
  EXPECT_EQ(state.handled.updates, 499);
  EXPECT_EQ(state.position.batch, 17U);
  EXPECT_EQ(state.best, 27.125);
  EXPECT_EQ(state.best_loss, 3.5);
  EXPECT_EQ(state.best_updates, 450);
  EXPECT_EQ(state.validation_corpus, "10 pairs, crc32 01234567");
  EXPECT_EQ(state.stalled, 1);
  EXPECT_EQ(state.sums.tokens, 99);
  EXPECT_EQ(state.models, (std::vector<KeptModel>{{450, 26.5, 3.75}, {500, {}}}));
  EXPECT_EQ(state.sums.seconds, 2.75);
  EXPECT_EQ(loaded->source_spm, "source");
  EXPECT_EQ(loaded->target_spm, "target");
  EXPECT_EQ(loaded->config, R"({"a":1})");
  EXPECT_TRUE(loaded->optimizer.contains("w"));
  EXPECT_EQ(fs::read_symlink(run.latest()), "checkpoints/step-00000500");
}

TEST(Checkpoint, KnowsTheUpdateOfTheBestModelAlsoBeforeTheFirstOne) {
  TrainingState state;
  state.best = 1;
  EXPECT_FALSE(parse_state_text(state_text(state), "state").best_updates);
  state.best_updates = 0;
  EXPECT_EQ(parse_state_text(state_text(state), "state").best_updates, 0);
}

TEST(Checkpoint, AHundredMillionUpdatesAreMoreThanAMillionLess) {
  const test::TempFolder folder;
  const RunFolder run{folder.path()};
  save(run, 99'000'000, 1);
  save(run, 100'000'000, 1);
  EXPECT_EQ(load_newest_checkpoint(run)->state.progress.updates, 100'000'000);
  EXPECT_FALSE(fs::exists(run.checkpoints() + "/step-99000000"));
}

TEST(Checkpoint, ACopyUnderANameOfItsOwnIsLeftAlone) {
  const test::TempFolder folder;
  const RunFolder run{folder.path()};
  save(run, 100, 1);
  fs::copy(run.checkpoints() + "/step-00000100", run.checkpoints() + "/step-00000100.before");
  save(run, 200, 1);
  EXPECT_EQ(load_newest_checkpoint(run)->state.progress.updates, 200);
  EXPECT_TRUE(fs::exists(run.checkpoints() + "/step-00000100.before"));
}

TEST(Checkpoint, AStateThatIsNoneIsAModelError) {
  EXPECT_FAILS(parse_state_text("{", "rank 0"), ModelError, "rank 0: is not a training state");
  EXPECT_FAILS(parse_state_text("{}", "rank 0"), ModelError, "rank 0: is not a training state");
}

TEST(Checkpoint, NothingThatSomebodyPutBesideOneIsRemovedOrTakenForOne) {
  const test::TempFolder folder;
  const RunFolder run{folder.path()};
  save(run, 100, 1);
  folder.file("checkpoints/step-00000100/notes", "mine");
  save(run, 200, 1);
  EXPECT_EQ(test::file_bytes(run.checkpoints() + "/step-00000100/notes"), "mine");
  EXPECT_FALSE(fs::exists(run.checkpoints() + "/step-00000100/model.safetensors"));
  fs::remove_all(run.checkpoints() + "/step-00000200");
  EXPECT_FALSE(load_newest_checkpoint(run));
}

TEST(Checkpoint, OnlyTheNewestAreKept) {
  const test::TempFolder folder;
  const RunFolder run{folder.path()};
  for (const int64_t updates : {100, 200, 300, 400}) save(run, updates, 2);
  EXPECT_FALSE(fs::exists(run.checkpoints() + "/step-00000200"));
  EXPECT_TRUE(fs::exists(run.checkpoints() + "/step-00000300"));
  EXPECT_EQ(load_newest_checkpoint(run)->state.progress.updates, 400);
}

TEST(Checkpoint, ModelsThatItsStateDoesNotListGoButNotLaterOnes) {
  const test::TempFolder folder;
  const RunFolder run{folder.path()};
  for (const int64_t updates : {100, 150, 170, 200, 300}) fs::create_directories(run.model(updates));
  save(run, 200);  // lists 150 and 200; training has gone on to 300 meanwhile
  for (const int64_t updates : {150, 200, 300}) EXPECT_TRUE(fs::exists(run.model(updates))) << updates;
  for (const int64_t updates : {100, 170}) EXPECT_FALSE(fs::exists(run.model(updates))) << updates;
}

TEST(Checkpoint, OneOfAnOlderVersionHasKeptNoModels) {
  const test::TempFolder folder;
  const RunFolder run{folder.path()};
  save(run, 100);
  auto files = files::read_folder(run.latest());
  for (auto& [name, bytes] : files) {
    if (name != "state.json") continue;
    auto state = nlohmann::json::parse(bytes);
    state["state"].erase("models");
    bytes = state.dump();
  }
  files::write_folder(run.checkpoints() + "/step-00000100", files);
  EXPECT_TRUE(load_newest_checkpoint(run)->state.models.empty());
}

TEST(Checkpoint, ADamagedOneIsPassedOverForTheOneBefore) {
  const test::TempFolder folder;
  const RunFolder run{folder.path()};
  save(run, 100);
  save(run, 200);
  const std::string victim = run.checkpoints() + "/step-00000200/optimizer.safetensors";
  std::string bytes = test::file_bytes(victim);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  std::ofstream(victim, std::ios::binary) << bytes;
  testing::internal::CaptureStderr();
  EXPECT_EQ(load_newest_checkpoint(run)->state.progress.updates, 100);
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_NE(log.find("checkpoint skipped: " + run.checkpoints() + "/step-00000200/optimizer.safetensors"),
            std::string::npos)
      << log;
}

TEST(Checkpoint, OneThatWasPassedOverAsDamagedMakesRoomForAWholeOne) {
  const test::TempFolder folder;
  const RunFolder run{folder.path()};
  save(run, 100);
  save(run, 200);
  fs::resize_file(run.checkpoints() + "/step-00000200/model.safetensors", 10);
  save(run, 150, 1);  // of the run that went on from 100
  EXPECT_FALSE(fs::exists(run.checkpoints() + "/step-00000200"));
  EXPECT_EQ(load_newest_checkpoint(run)->state.progress.updates, 150);
  EXPECT_TRUE(fs::exists(run.latest() + "/state.json"));
}

TEST(Checkpoint, OneOfANewerVersionIsNotPassedOver) {
  const test::TempFolder folder;
  const RunFolder run{folder.path()};
  save(run, 100);
  save(run, 200);
  auto files = files::read_folder(run.latest());
  for (auto& [name, bytes] : files) {
    if (name != "state.json") continue;
    auto state = nlohmann::json::parse(bytes);
    state["state"]["version"] = 1000;
    bytes = state.dump();
  }
  files::write_folder(run.checkpoints() + "/step-00000200", files);
  EXPECT_FAILS(load_newest_checkpoint(run), UnreadableError, "written by a newer version of ventris-train");
}

TEST(Checkpoint, IsSavedWhereNothingCanPointToIt) {
  const test::TempFolder folder;
  const RunFolder run{folder.path()};
  fs::create_directories(run.latest() + "/somebody's");
  testing::internal::CaptureStderr();
  for (const int64_t updates : {100, 200, 300}) save(run, updates, 1);
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_NE(log.find("cannot point to step-00000300"), std::string::npos) << log;
  EXPECT_EQ(load_newest_checkpoint(run)->state.progress.updates, 300);
  EXPECT_FALSE(fs::exists(run.checkpoints() + "/step-00000200"));
}

TEST(Checkpoint, WhenAllAreDamagedItSaysSoAndBeginsNothingAnew) {
  const test::TempFolder folder;
  const RunFolder run{folder.path()};
  save(run, 100);
  fs::resize_file(run.checkpoints() + "/step-00000100/model.safetensors", 10);
  try {
    load_newest_checkpoint(run);
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("no checkpoint is intact"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("model.safetensors: damaged: MANIFEST says"), std::string::npos);
  }
}

TEST(Checkpoint, NoneIsNothing) {
  const test::TempFolder folder;
  EXPECT_FALSE(load_newest_checkpoint(RunFolder{folder.path()}));
}

TEST(Checkpoint, AFullDiskKeepsTheOldOne) {
  const test::TempFolder folder;
  const RunFolder run{folder.path()};
  save(run, 100);
  {
    const test::FileSizeLimit full_disk(32);  // no file of the checkpoint fits
    EXPECT_THROW(save(run, 200), WriteError);
  }
  EXPECT_EQ(fs::read_symlink(run.latest()), "checkpoints/step-00000100");
  EXPECT_FALSE(fs::exists(run.checkpoints() + "/step-00000200"));
  EXPECT_EQ(load_newest_checkpoint(run)->state.progress.updates, 100);
}

}  // namespace
}  // namespace ventris::run
