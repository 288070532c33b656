#include "preparation/standard_input.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "core/error.h"
#include "preparation/training_data.h"
#include "support/errors.h"
#include "support/folder_entries.h"
#include "support/standard_input.h"
#include "support/temp_folder.h"

namespace ventris::preparation {
namespace {

class KeptInputTest : public testing::Test {
 protected:
  std::string kept() const { return test::file_bytes(run.standard_input()); }
  std::vector<std::string> files() const { return test::entries(run.path); }
  void older(const std::string& text) { folder.file("standard-input.tsv", text); }

  test::TempFolder folder;
  test::TempFolder inputs;
  run::RunFolder run{folder.path()};
  test::StandardInput input{inputs.file("input", "new\tneu\n")};
};

TEST(StandardInput, OnlyATsvCanBe) {
  const test::TempFolder folder;
  settings::DataConfig config;
  config.train = {folder.file("a", "a\n"), ""};
  EXPECT_FALSE(reads_standard_input(config));
  config.train = {"-", folder.file("b", "b\n")};
  EXPECT_FALSE(reads_standard_input(config));
  EXPECT_FAILS(check_files(config), DataError, "standard input: is not a regular file");
  config.train = {"-", ""};
  EXPECT_TRUE(reads_standard_input(config));
}

TEST(StandardInput, IsNamedInTheRunFolderAlsoWithACache) {
  settings::DataConfig config;
  config.cache = "cache";
  config.train = {"-", ""};
  name_standard_input(config, run::RunFolder{"run"});
  EXPECT_EQ(config.train.source, "run/standard-input.tsv");
}

TEST_F(KeptInputTest, AFirstRunKeepsWhatItReadsOnceItBegins) {
  {
    const KeptInput fails_later(run, OlderInput::kIsReplaced);
  }
  EXPECT_TRUE(files().empty());
  const test::StandardInput again(inputs.path("input"));
  KeptInput(run, OlderInput::kGoesOn).begun();  // there is none to go on with
  EXPECT_EQ(kept(), "new\tneu\n");
  EXPECT_EQ(files().size(), 1U);
}

TEST_F(KeptInputTest, ARunThatGoesOnReadsWhatItKeptAndSaysSo) {
  older("red\tblue\n");
  testing::internal::CaptureStderr();
  {
    const KeptInput goes_on(run, OlderInput::kGoesOn);
  }
  EXPECT_NE(testing::internal::GetCapturedStderr().find("standard input is not read: the run continues with"),
            std::string::npos);
  EXPECT_EQ(kept(), "red\tblue\n");
}

TEST_F(KeptInputTest, AnOlderRunGetsItsInputBackUnlessTheNewOneBegins) {
  older("red\tblue\n");
  {
    const KeptInput fails_later(run, OlderInput::kIsReplaced);
    EXPECT_EQ(kept(), "new\tneu\n");
  }
  EXPECT_EQ(kept(), "red\tblue\n");
  EXPECT_EQ(files().size(), 1U);
}

TEST_F(KeptInputTest, ARunThatBeginsAnewTakesWhatItKeptOnlyIfThereIsNothingElse) {
  older("red\tblue\n");
  KeptInput(run, OlderInput::kInReserve).begun();
  EXPECT_EQ(kept(), "new\tneu\n");
  std::filesystem::remove(run.older_standard_input());
  const test::StandardInput nothing(inputs.file("empty", ""));
  testing::internal::CaptureStderr();
  KeptInput(run, OlderInput::kInReserve).begun();
  EXPECT_NE(testing::internal::GetCapturedStderr().find("standard-input.tsv"), std::string::npos);
  EXPECT_EQ(kept(), "new\tneu\n");
}

TEST_F(KeptInputTest, AnInputThatCannotBeReadLeavesTheOlderOne) {
  older("red\tblue\n");
  const test::StandardInput nothing(inputs.file("empty", ""));
  EXPECT_FAILS(KeptInput(run, OlderInput::kIsReplaced), DataError, "standard input: is empty");
  EXPECT_EQ(kept(), "red\tblue\n");
  EXPECT_EQ(files().size(), 1U);
}

TEST_F(KeptInputTest, AReplacementThatWasKilledIsUndone) {
  folder.file(".older-standard-input.tsv", "red\tblue\n");
  older("half a replacement");
  KeptInput(run, OlderInput::kGoesOn).begun();
  EXPECT_EQ(kept(), "red\tblue\n");
  EXPECT_EQ(files().size(), 1U);
}

TEST_F(KeptInputTest, AFileThatCannotBeMovedAsideIsNamed) {
  older("red\tblue\n");
  std::filesystem::create_directories(run.older_standard_input() + "/full");
  EXPECT_FAILS(KeptInput(run, OlderInput::kIsReplaced), WriteError, ".older-standard-input.tsv: cannot be renamed to ");
}

}  // namespace
}  // namespace ventris::preparation
