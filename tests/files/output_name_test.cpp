#include "files/output_name.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "core/error.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::files {
namespace {

TEST(OutputName, ThatOfAnInputIsRefusedHoweverItIsWritten) {
  const test::TempFolder folder;
  const std::string input = folder.file("in", "text\n");
  std::filesystem::create_symlink(input, folder.path("link"));
  for (const std::string& output : {input, folder.path("link"), folder.path("./in")}) {
    EXPECT_FAILS(check_is_no_input(output, {"other", input}), ConfigError, "is also an input (" + input + ")");
  }
  EXPECT_NO_THROW(check_is_no_input(folder.path("out"), {input}));
  EXPECT_NO_THROW(check_is_no_input("-", {"-"}));
  EXPECT_NO_THROW(check_is_no_input("/dev/null", {"/dev/null"}));
}

}  // namespace
}  // namespace ventris::files
