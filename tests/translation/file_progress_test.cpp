#include "translation/file_progress.h"

#include <gtest/gtest.h>

#include "support/temp_folder.h"

namespace ventris::translation {
namespace {

TEST(FileProgress, IsNotShownToNobody) {
  const test::TempFolder folder;
  EXPECT_EQ(file_progress("translating", folder.file("in", "a\nb\n"), folder.path("out")), nullptr);
  EXPECT_EQ(file_progress("translating", "-", folder.path("out")), nullptr);
}

}  // namespace
}  // namespace ventris::translation
