#include "installation/near_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ventris::installation {
namespace {

TEST(NearProgram, TheProgramIsAFileWithoutLinks) {
  EXPECT_EQ(program_file().filename(), "test_installation");
  EXPECT_EQ(program_file(), std::filesystem::canonical(program_file()));
}

TEST(NearProgram, LibrariesAreInTheFolderOfTheProgramOrInLibBesideIt) {
  const auto folders = library_folders_near("/opt/ventris/bin");
  ASSERT_GE(folders.size(), 2U);
  EXPECT_EQ(folders[0], "/opt/ventris/bin");
  EXPECT_EQ(folders[1], "/opt/ventris/lib");
  EXPECT_THAT(folders, testing::Contains(std::filesystem::path("/opt/ventris") / VENTRIS_LIBDIR).Times(1));
}

}  // namespace
}  // namespace ventris::installation
