#include <gtest/gtest.h>

#include <cstdlib>

#include "support/run_program.h"
#include "support/temp_folder.h"

namespace ventris {
namespace {

/// Every shared library that the program would start with, by whatever way it comes in.
std::string libraries_of(const std::string& program) {
  const test::TempFolder folder;
  const std::string command = "ldd '" + test::program_path(program) + "' > '" + folder.path("ldd") + "'";
  return std::system(command.c_str()) == 0 ? test::file_bytes(folder.path("ldd")) : "";
}

TEST(Linking, TranslatingNeedsNoLibTorch) {
  for (const char* program : {"ventris-translate", "ventris-serve"}) {
    const std::string libraries = libraries_of(program);
    ASSERT_NE(libraries.find("libsentencepiece"), std::string::npos) << libraries;  // the listing is what it should be
    for (const char* part : {"libtorch", "libc10", "ventris_backend"}) {
      EXPECT_EQ(libraries.find(part), std::string::npos) << libraries;
    }
  }
}

}  // namespace
}  // namespace ventris
