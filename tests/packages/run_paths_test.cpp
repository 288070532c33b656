#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "support/elf_file.h"
#include "support/shell.h"
#include "support/temp_folder.h"

/// Where the loader looks for the libraries of what is built: never in a folder that depends on where a program is
/// called, because everybody may put libraries there.
namespace ventris::test {
namespace {

namespace fs = std::filesystem;

TEST(RunPaths, OfBuiltFilesHaveOnlyWholePathsAndThoseFromTheFileItself) {
  const auto files = elf_files_in(VENTRIS_BUILD);
  ASSERT_GT(files.size(), 5U);
  for (const auto& [path, file] : files) {
    for (const std::string& element : file.run_path_elements()) {
      EXPECT_TRUE(element.starts_with("/") || element.starts_with("$ORIGIN")) << path << ": '" << element << "'";
    }
  }
}

TEST(RunPaths, ProgramsDoNotLoadLibrariesOfTheCurrentFolder) {
  const TempFolder folder;
  for (const char* variable : {"LD_LIBRARY_PATH", "LD_PRELOAD"}) unsetenv(variable);
  const auto programs = elf_files_in(VENTRIS_BUILD "/bin");
  for (const auto& [path, file] : programs) {
    for (const std::string& library : file.needed) folder.file(library, "not a library");
  }
  folder.file("libzip.so.4", "not a library");
  int called = 0;
  for (const auto& [path, file] : programs) {
    if (!fs::path(path).filename().string().starts_with("ventris-")) continue;
    const Outcome outcome = run_shell("cd '" + folder.path() + "' && '" + path + "' --version 2>&1");
    EXPECT_EQ(outcome.code, 0) << outcome.out;
    ++called;
  }
  EXPECT_GT(called, 5);
}

TEST(RunPaths, TheExtensionOfPythonHasNone) {
  const TempFolder folder;
  const Outcome installed =
      run_shell(std::string(VENTRIS_CMAKE) + " --install " VENTRIS_BUILD " --component python --prefix '" +
                folder.path() + "' 2>&1");
  ASSERT_EQ(installed.code, 0) << installed.out;
  for (const auto& [path, file] : elf_files_in(folder.path())) {
    EXPECT_THAT(file.run_paths, testing::IsEmpty()) << path;
  }
}

TEST(RunPaths, AreReadAsTheLoaderReadsThem) {
  EXPECT_THAT((ElfFile{{"/a:$ORIGIN/b", "/c:"}, {}, true}.run_path_elements()),
              testing::ElementsAre("/a", "$ORIGIN/b", "/c", ""));
  EXPECT_FALSE(read_elf("/dev/null").is_elf);
  EXPECT_THAT(read_elf("/proc/self/exe").needed, testing::Contains(testing::StartsWith("libc.so")));
}

}  // namespace
}  // namespace ventris::test
