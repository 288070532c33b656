#include "files/json_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::files {
namespace {

TEST(ReadJsonFile, FilesThatCannotBeReadAreNamedWithTheReason) {
  const test::TempFolder folder;
  EXPECT_FAILS(read_json_file(folder.path("none.json")), ConfigError, "none.json: cannot be read: No such file");
  EXPECT_FAILS(read_json_file(folder.path()), ConfigError, "is a folder, expected a file");
  EXPECT_FAILS(read_json_file(folder.file("e.json", "")), ConfigError, "e.json: the settings file is empty");
  EXPECT_EQ(read_json_file(folder.file("a.json", "{\"a\": [1]}")).at("a").at(0), 1);
}

TEST(ReadJsonFile, FilesThatAreTooLongAreNotReadIntoMemory) {
  EXPECT_FAILS(read_json_file("/dev/zero"), ConfigError, "/dev/zero: expected at most 67108864 bytes, found more");
  const test::TempFolder folder;
  const std::string path = folder.file("long.json", "{}");
  std::filesystem::resize_file(path, uint64_t{1} << 40);  // with a hole
  EXPECT_FAILS(read_json_file(path), ConfigError, "long.json: expected at most 67108864 bytes, found more");
}

}  // namespace
}  // namespace ventris::files
