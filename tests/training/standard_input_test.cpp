#include "training/standard_input.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "core/error.h"
#include "support/errors.h"
#include "support/folder_entries.h"
#include "support/standard_input.h"
#include "support/temp_folder.h"
#include "training/training_data.h"

namespace ventris::training {
namespace {

namespace fs = std::filesystem;

class KeptInputTest : public testing::Test {
 protected:
  std::string kept() const { return test::file_bytes(path); }
  std::vector<std::string> files() const { return test::entries(fs::path(path).parent_path().string()); }

  test::TempFolder folder;
  test::TempFolder inputs;
  std::string path = folder.path("standard-input.tsv");
  test::StandardInput input{inputs.file("input", "new\tneu\n")};
};

TEST(StandardInput, OnlyATsvCanBe) {
  const test::TempFolder folder;
  DataConfig config;
  config.train = {folder.file("a", "a\n"), ""};
  EXPECT_FALSE(reads_standard_input(config));
  config.train = {"-", folder.file("b", "b\n")};
  EXPECT_FALSE(reads_standard_input(config));
  EXPECT_FAILS(check_files(config), DataError, "standard input: is not a regular file");
  config.train = {"-", ""};
  EXPECT_TRUE(reads_standard_input(config));
}

TEST(StandardInput, IsNamedInTheRunFolderAlsoWithACache) {
  DataConfig config;
  config.cache = "cache";
  config.train = {"-", ""};
  EXPECT_EQ(name_standard_input(config, RunFolder{"run"}), "run/standard-input.tsv");
  EXPECT_EQ(config.train.source, "run/standard-input.tsv");
}

TEST_F(KeptInputTest, AFirstRunKeepsWhatItReads) {
  KeptInput(path, /*use_kept=*/true).begun();  // there is none
  EXPECT_EQ(kept(), "new\tneu\n");
  EXPECT_EQ(files().size(), 1U);
}

TEST_F(KeptInputTest, ARunThatGoesOnReadsWhatItKeptAndSaysSo) {
  folder.file("standard-input.tsv", "red\tblue\n");
  testing::internal::CaptureStderr();
  KeptInput(path, /*use_kept=*/true).begun();
  EXPECT_NE(testing::internal::GetCapturedStderr().find("standard input is not read: the run goes on with " + path),
            std::string::npos);
  EXPECT_EQ(kept(), "red\tblue\n");
}

TEST_F(KeptInputTest, AnOlderRunLosesItsInputOnlyWhenTheNewOneBegins) {
  folder.file("standard-input.tsv", "red\tblue\n");
  {
    const KeptInput fails_later(path, /*use_kept=*/false);
    EXPECT_EQ(kept(), "new\tneu\n");
  }
  EXPECT_EQ(kept(), "red\tblue\n");
  EXPECT_EQ(files().size(), 1U);
  const test::StandardInput again(inputs.path("input"));
  KeptInput(path, /*use_kept=*/false).begun();
  EXPECT_EQ(kept(), "new\tneu\n");
  EXPECT_EQ(files().size(), 1U);
}

TEST_F(KeptInputTest, AnInputThatCannotBeReadLeavesTheOlderOne) {
  folder.file("standard-input.tsv", "red\tblue\n");
  const test::StandardInput nothing(inputs.file("empty", ""));
  EXPECT_FAILS(KeptInput(path, /*use_kept=*/false), DataError, "standard input: is empty");
  EXPECT_EQ(kept(), "red\tblue\n");
  EXPECT_EQ(files().size(), 1U);
}

TEST_F(KeptInputTest, AReplacementThatWasKilledIsUndone) {
  folder.file("standard-input.tsv.old", "red\tblue\n");
  folder.file("standard-input.tsv", "half a replacement");
  KeptInput(path, /*use_kept=*/true).begun();
  EXPECT_EQ(kept(), "red\tblue\n");
  EXPECT_EQ(files().size(), 1U);
}

}  // namespace
}  // namespace ventris::training
