#include "core/paths.h"

#include <gtest/gtest.h>

#include <string>

#include "support/temp_folder.h"

namespace ventris::core {
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

TEST(Paths, ANumberedNameIsAPrefixAndDigits) {
  EXPECT_TRUE(is_numbered("step-00000100", "step-"));
  for (const char* name : {"step-", "step-100.bak", "step-1 ", "step--1", "stop-1", "1", ""}) {
    EXPECT_FALSE(is_numbered(name, "step-")) << name;
  }
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
}  // namespace ventris::core
