#include "serving/access_log.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::serving {
namespace {

const AccessRecord kRecord{.address = "::1",
                           .key = "anna",
                           .method = "POST",
                           .path = "/translate",
                           .source = "en",
                           .target = "de",
                           .status = 200,
                           .texts = 1,
                           .characters = 5,
                           .seconds = 0.01234};

TEST(AccessLog, ALineIsAJsonObject) {
  const auto json = nlohmann::json::parse(to_json_line(kRecord, 1'600'000'000.25));
  EXPECT_EQ(json.at("time"), "2020-09-13T12:26:40.250Z");
  EXPECT_EQ(json.at("key"), "anna");
  EXPECT_EQ(json.at("status"), 200);
  EXPECT_EQ(json.at("milliseconds"), 12.3);
  EXPECT_EQ(json.at("characters"), 5);
  const auto other = nlohmann::json::parse(to_json_line({.method = "GET", .path = "/health", .status = 200}, 0));
  EXPECT_FALSE(other.contains("characters"));
  EXPECT_FALSE(other.contains("key"));
}

TEST(AccessLog, LinesAreAppendedAlsoAfterTheFileWasMoved) {
  const test::TempFolder folder;
  const std::string path = folder.file("log", "before\n");
  AccessLog log(path);
  log.add(kRecord);
  std::filesystem::rename(path, folder.path("log.1"));
  log.add(kRecord);
  log.reopen();
  log.add(kRecord);
  const std::string old = test::file_bytes(folder.path("log.1")), fresh = test::file_bytes(path);
  EXPECT_TRUE(old.starts_with("before\n{"));
  EXPECT_EQ(std::ranges::count(old, '\n'), 3);
  EXPECT_EQ(std::ranges::count(fresh, '\n'), 1);
}

TEST(AccessLog, AFileThatCannotBeOpenedIsRefused) {
  const test::TempFolder folder;
  EXPECT_FAILS(AccessLog(folder.path("none/log")), WriteError, "none/log: the access log cannot be opened");
  AccessLog("").add(kRecord);  // no log
}

}  // namespace
}  // namespace ventris::serving
