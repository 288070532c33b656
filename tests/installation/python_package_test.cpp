#include "installation/python_package.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "support/shell.h"
#include "support/temp_folder.h"

namespace ventris::installation {
namespace {

namespace fs = std::filesystem;

class PythonPackage : public testing::Test {
 protected:
  void SetUp() override {
    if (!test::has_command("python3")) GTEST_SKIP() << "python3 is not installed";
    fs::create_directories(folder.path("with blank/thing"));
    folder.file("with blank/thing/__init__.py", "raise RuntimeError('it was imported')\n");
  }
  void TearDown() override { unsetenv("PYTHONPATH"); }

  test::TempFolder folder;
};

TEST_F(PythonPackage, IsFoundWithoutImportingIt) {
  setenv("PYTHONPATH", folder.path("with blank").c_str(), 1);
  EXPECT_EQ(python_package("python3", "thing"), folder.path("with blank/thing"));
  EXPECT_EQ(python_package("python3", "no_such_thing"), "");
}

TEST_F(PythonPackage, TheCurrentFolderIsNotSearched) {
  const fs::path before = fs::current_path();
  fs::current_path(folder.path("with blank"));
  EXPECT_EQ(python_package("python3", "thing"), "");
  fs::current_path(before);
}

TEST_F(PythonPackage, AProcessThatIgnoresItsChildrenFindsItToo) {
  setenv("PYTHONPATH", folder.path("with blank").c_str(), 1);
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  EXPECT_EQ(python_package("python3", "thing"), folder.path("with blank/thing"));
  std::signal(SIGCHLD, before);
}

TEST(NoPython, IsNotAnError) { EXPECT_EQ(python_package("/no/such/python3", "thing"), ""); }

}  // namespace
}  // namespace ventris::installation
