#include "files/output_name.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "core/error.h"
#include "support/errors.h"
#include "support/standard_input.h"
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
  EXPECT_NO_THROW(check_is_no_input("/dev/null", {"/dev/null"}));
}

TEST(OutputName, AStandardStreamMayBeTheSameFile) {
  const test::TempFolder folder;
  const std::string file = folder.file("in", "text\n"), other = folder.file("other", "text\n");
  {
    const test::StandardInput input(file);
    EXPECT_FAILS(check_is_no_input(file, {"-"}), ConfigError, "in is also an input (standard input)");
    EXPECT_NO_THROW(check_is_no_input(other, {"-"}));
  }
  std::string message;
  {
    const test::StandardStream output(file, STDOUT_FILENO, O_WRONLY | O_APPEND);
    try {
      check_is_no_input("-", {other, file});
    } catch (const ConfigError& error) {
      message = error.what();
    }
  }
  EXPECT_TRUE(message.starts_with("output: standard output is also an input (")) << message;
}

}  // namespace
}  // namespace ventris::files
