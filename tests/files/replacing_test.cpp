#include "files/replacing.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "core/error.h"
#include "support/errors.h"
#include "support/folder_entries.h"
#include "support/temp_folder.h"

namespace ventris::files {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

class Replacing : public testing::Test {
 protected:
  Replacing() {
    for (const char* name : {"old", "new"}) fs::create_directory(folder.path(name));
  }
  test::TempFolder folder;
};

TEST_F(Replacing, OwnFilesGoAndOthersAreCarriedOver) {
  folder.file("old/ours", "1");
  folder.file("old/theirs", "2");
  folder.file("new/fresh", "3");
  fs::create_symlink("nowhere", folder.path("old/link"));
  replace_folder(folder.path("new"), folder.path("old"), {"ours"});
  EXPECT_EQ(test::entries(folder.path()), Names{"old"});
  EXPECT_EQ(test::entries(folder.path("old")), (Names{"fresh", "link", "theirs"}));
  EXPECT_EQ(fs::read_symlink(folder.path("old/link")), "nowhere");
}

TEST_F(Replacing, AFileThatIsStillWrittenStaysTheSameFile) {
  folder.file("old/log", "first ");
  std::ofstream log(folder.path("old/log"), std::ios::app);
  replace_folder(folder.path("new"), folder.path("old"), {});
  log << "second" << std::flush;
  EXPECT_EQ(test::file_bytes(folder.path("old/log")), "first second");
}

TEST_F(Replacing, WhatWouldBeLostIsNamedAndNothingChanges) {
  folder.file("old/theirs", "2");
  folder.file("new/theirs", "3");
  EXPECT_FAILS(replace_folder(folder.path("new"), folder.path("old"), {}), WriteError, "old/theirs: would be replaced");
  EXPECT_EQ(test::file_bytes(folder.path("old/theirs")), "2");
}

TEST_F(Replacing, RemovingTakesOwnFilesAndAFolderThatIsThenEmpty) {
  folder.file("old/ours", "1");
  fs::create_directory(folder.path("old/kept"));
  remove_own_files(folder.path("old"), {"ours", "kept", "never there"});
  EXPECT_EQ(test::entries(folder.path("old")), Names{"kept"}) << "a folder is no file of ours";
  fs::remove(folder.path("old/kept"));
  remove_own_files(folder.path("old"), {"ours"});
  EXPECT_FALSE(fs::exists(folder.path("old")));
}

TEST_F(Replacing, OnlyAnEmptyFolderIsRemovedAndNoLinkToOne) {
  fs::create_directory_symlink(folder.path("new"), folder.path("link"));
  folder.file("old/theirs", "2");
  for (const char* name : {"link", "old", "none"}) remove_if_empty(folder.path(name));
  EXPECT_TRUE(fs::exists(folder.path("link")) && fs::exists(folder.path("old/theirs")));
  remove_if_empty(folder.path("new"));
  EXPECT_FALSE(fs::exists(folder.path("new")));
}

}  // namespace
}  // namespace ventris::files
