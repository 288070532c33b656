#include "files/placing.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "core/error.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::files {
namespace {

namespace fs = std::filesystem;

TEST(Placing, ANameWithoutAFolderIsInTheCurrentOne) {
  EXPECT_EQ(parent_of("out"), ".");
  EXPECT_EQ(parent_of("a/out"), "a");
  EXPECT_EQ(parent_of("/out"), "/");
  EXPECT_EQ(beside("out", ".tmp-"), ".tmp-out");
  EXPECT_EQ(beside("/a/b.c/out.gz", ".old-"), "/a/b.c/.old-out.gz");
}

TEST(Placing, ATemporaryNameIsOfThisProcessAndInTheSameFolder) {
  EXPECT_EQ(temporary_name("/a/out"), "/a/.tmp-" + std::to_string(getpid()) + "-out");
}

TEST(Placing, LinksAreFollowedToTheirEnd) {
  const test::TempFolder folder;
  fs::create_directory(folder.path("sub"));
  const std::string file = folder.file("sub/file", "x");
  fs::create_symlink("file", folder.path("sub/second"));  // relative to the folder of the link
  fs::create_symlink("sub/second", folder.path("first"));
  fs::create_symlink("nowhere", folder.path("dangling"));
  EXPECT_TRUE(fs::equivalent(follow_links(folder.path("first")), file));
  EXPECT_EQ(follow_links(file), file);
  EXPECT_EQ(follow_links(folder.path("dangling")), folder.path("nowhere")) << "a file can be made there";
}

TEST(Placing, ACircleOfLinksEnds) {
  const test::TempFolder folder;
  fs::create_symlink("b", folder.path("a"));
  fs::create_symlink("a", folder.path("b"));
  EXPECT_TRUE(fs::is_symlink(follow_links(folder.path("a"))));
}

TEST(Placing, AnOpenFileOfAProcessIsNoPlaceForAName) {
  const test::TempFolder folder;
  const int descriptor = open(folder.file("file", "x").c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_GE(descriptor, 0);
  const std::string name = "/proc/self/fd/" + std::to_string(descriptor);
  EXPECT_TRUE(in_proc(name));
  EXPECT_FALSE(in_proc(folder.path("file")));
  EXPECT_EQ(follow_links(name), name) << "the link there is none that a rename could follow";
  close(descriptor);
}

TEST(Placing, AFileIsPutInPlaceOfAnOlderOne) {
  const test::TempFolder folder;
  const std::string to = folder.file("out", "old");
  put_in_place(folder.file("new", "new"), to);
  EXPECT_EQ(test::file_bytes(to), "new");
  EXPECT_FALSE(fs::exists(folder.path("new")));
}

TEST(Placing, WhatFailsIsNamedWithTheReason) {
  const test::TempFolder folder;
  EXPECT_FAILS(put_in_place(folder.path("none"), folder.path("out")), WriteError,
               folder.path("out") + ": cannot be put in place: No such file or directory");
  EXPECT_NO_THROW(sync_folder(folder.path()));
  EXPECT_FAILS(sync_folder(folder.path("none")), WriteError, "none: cannot open the folder: No such file");
  EXPECT_FAILS(sync_folder(folder.file("file", "")), WriteError, "file: cannot open the folder: Not a directory");
}

}  // namespace
}  // namespace ventris::files
