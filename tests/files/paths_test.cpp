#include "files/paths.h"

#include <gtest/gtest.h>

#include <string>

#include "support/temp_folder.h"

namespace ventris::files {
namespace {
namespace fs = std::filesystem;

TEST(Paths, WhatIsThereExists) {
  const test::TempFolder folder;
  EXPECT_TRUE(exists(folder.path()));
  EXPECT_TRUE(exists(folder.file("text", "a")));
  EXPECT_FALSE(exists(folder.path("other")));
  EXPECT_FALSE(exists(""));
}

TEST(Paths, WhatCannotBeLookedAtIsNotThere) {
  const test::TempFolder folder;
  EXPECT_FALSE(exists(folder.file("text", "a") + "/below a file"));
  EXPECT_FALSE(exists(std::string(100000, 'x')));
}

TEST(Paths, WhyAPathCannotBeLookedAtIsKnown) {
  const test::TempFolder folder;
  EXPECT_EQ(access_problem(folder.path()), "");
  EXPECT_EQ(access_problem(folder.path("none")), "");
  EXPECT_EQ(access_problem(folder.path("none/none")), "");
  EXPECT_EQ(access_problem(folder.path(std::string(300, 'x'))), "File name too long");
  ASSERT_EQ(symlink("loop", folder.path("loop").c_str()), 0);
  EXPECT_EQ(access_problem(folder.path("loop")), "Too many levels of symbolic links");
}

TEST(Paths, ANumberedNameIsAPrefixAndDigits) {
  const test::TempFolder folder;
  for (const char* name : {"step-", "step-100.bak", "step-1 ", "step--1", "stop-1", "1"}) folder.file(name, "");
  EXPECT_TRUE(numbered_entries(folder.path(), "step-").empty());
  folder.file("step-100000000", "");
  folder.file("step-00000100", "");
  folder.file("step-99000000", "");
  std::vector<int64_t> numbers;
  for (const Numbered& entry : numbered_entries(folder.path(), "step-")) numbers.push_back(entry.number);
  EXPECT_EQ(numbers, (std::vector<int64_t>{100, 99'000'000, 100'000'000}));
  EXPECT_EQ(numbered_entries(folder.path(), "step-").front().path, folder.path("step-00000100"));
  EXPECT_TRUE(numbered_entries(folder.path("none"), "step-").empty());
}

TEST(Paths, TwoNamesOfOnePlaceAreResolvedToOne) {
  const test::TempFolder folder;
  const fs::path place = folder.path("run");
  fs::create_directory(place);
  fs::create_directory_symlink(place, folder.path("link"));
  EXPECT_EQ(resolved(place / "." / "new" / ".." / "best"), resolved(place / "best"));
  EXPECT_EQ(resolved(fs::path(folder.path("link")) / "best"), resolved(place / "best"));
  EXPECT_EQ(resolved(fs::relative(place)), resolved(place));
  EXPECT_NE(resolved(place / "best"), resolved(place / "final"));
}

TEST(Paths, WhatCannotBeLookedAtStaysAsItIs) {
  const std::string path = "/" + std::string(100000, 'x');
  EXPECT_EQ(resolved(path), path);
}

}  // namespace
}  // namespace ventris::files
