#include "preparation/taken_folder.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "core/error.h"
#include "files/files.h"
#include "files/paths.h"
#include "support/errors.h"
#include "support/standard_input.h"
#include "support/toy_run.h"

namespace ventris::preparation {
namespace {

namespace fs = std::filesystem;

class TakenFolderTest : public testing::Test {
 protected:
  test::TempFolder folder;
  run::RunFolder run{folder.path("run")};
  settings::RunConfig config = test::toy_config(test::write_toy_corpus(folder, "train", 60, 1));
  std::optional<core::LogFile> log;
};

TEST_F(TakenFolderTest, IsMadeAndNobodyElseGetsIt) {
  const TakenFolder taken({run.path});
  EXPECT_TRUE(fs::is_directory(run.path));
  EXPECT_FAILS(TakenFolder({run.path}), ConfigError, run.path + ": another ventris-train is using this folder");
}

TEST_F(TakenFolderTest, OfAnotherPurposeIsRefusedAndGetsNoLock) {
  fs::create_directories(run.path);
  files::write_file(run.config(), "{}");
  EXPECT_FAILS(TakenFolder({run.path}), ConfigError, run.path);
  EXPECT_EQ(std::distance(fs::directory_iterator(run.path), {}), 1);
}

TEST_F(TakenFolderTest, HasItsLogBeforeTheRunBeginsAndItsSettingsAfterwards) {
  TakenFolder taken({run.path});
  const OpenedRun opened = taken.open(config, /*piped=*/false, log);
  EXPECT_TRUE(files::exists(run.log()));
  EXPECT_FALSE(opened.checkpoint || files::exists(run.config()));
  taken.begin(config, opened);
  EXPECT_EQ(files::read_file(run.config()), config.to_json().dump(2) + "\n");
}

TEST_F(TakenFolderTest, KeepsStandardInputOnlyIfItsRunBegins) {
  const std::string input = folder.file("input", "new\tneu\n");
  config.data.train = {"-", ""};
  settings::RunConfig named = config;
  {
    const test::StandardInput piped(input);
    TakenFolder({run.path}).open(named, /*piped=*/true, log);
  }
  EXPECT_EQ(named.data.train.source, run.standard_input());
  EXPECT_FALSE(files::exists(run.standard_input()));
  const test::StandardInput piped(input);
  TakenFolder taken({run.path});
  taken.begin(named, taken.open(config, /*piped=*/true, log));
  EXPECT_EQ(files::read_file(run.standard_input()), "new\tneu\n");
}

TEST_F(TakenFolderTest, ThatWasMovedIsNoticed) {
  const TakenFolder taken({run.path});
  taken.check_in_place();
  fs::rename(run.path, folder.path("elsewhere"));
  EXPECT_FAILS(taken.check_in_place(), WriteError, run.path);
}

}  // namespace
}  // namespace ventris::preparation
