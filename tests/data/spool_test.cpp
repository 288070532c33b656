#include "data/spool.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "core/error.h"
#include "support/errors.h"
#include "support/standard_input.h"
#include "support/temp_folder.h"

namespace ventris::data {
namespace {

TEST(Spool, KeepsEveryByte) {
  const test::TempFolder folder;
  const std::string bytes = std::string("a\tb\r\n\xff\0c", 8) + std::string(300'000, 'x');
  const test::StandardInput input(folder.file("input", bytes));
  spool_standard_input(folder.path("spool"));
  EXPECT_EQ(test::file_bytes(folder.path("spool")), bytes);
}

TEST(Spool, NothingToReadIsNamedAndLeavesNothing) {
  const test::TempFolder folder;
  const test::StandardInput input(folder.file("input", ""));
  EXPECT_FAILS(spool_standard_input(folder.path("spool")), DataError,
               "standard input: is empty; expected one sentence pair per line, source TAB target");
  EXPECT_FALSE(std::filesystem::exists(folder.path("spool")));
}

TEST(Spool, AFileThatCannotBeWrittenIsNamed) {
  const test::TempFolder folder;
  const test::StandardInput input(folder.file("input", "a\tb\n"));
  EXPECT_FAILS(spool_standard_input(folder.path("none/spool")), WriteError, "none/spool: cannot be written");
}

}  // namespace
}  // namespace ventris::data
