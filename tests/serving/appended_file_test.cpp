#include "serving/appended_file.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "core/error.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::serving {
namespace {

TEST(AppendedFile, LinesGoBehindWhatIsThereAlsoAfterItWasMoved) {
  const test::TempFolder folder;
  const std::string path = folder.file("log", "before\n");
  AppendedFile file(path, "log");
  EXPECT_TRUE(file.add("one"));
  std::filesystem::rename(path, folder.path("log.1"));
  file.reopen();
  EXPECT_TRUE(file.add("two"));
  EXPECT_EQ(test::file_bytes(folder.path("log.1")), "before\none\n");
  EXPECT_EQ(test::file_bytes(path), "two\n");
}

TEST(AppendedFile, ALineThatCannotBeWrittenIsSaidOnce) {
  AppendedFile file("/dev/full", "file of notes");
  testing::internal::CaptureStderr();
  EXPECT_FALSE(file.add("one"));
  EXPECT_FALSE(file.add("two"));
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_NE(log.find("/dev/full: the file of notes cannot be written"), std::string::npos) << log;
  EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 1);
}

TEST(AppendedFile, OneThatCannotBeOpenedIsRefused) {
  EXPECT_FAILS(AppendedFile("/none/log", "access log"), WriteError, "/none/log: the access log cannot be opened");
  AppendedFile none("", "log");
  EXPECT_FALSE(none.is_open());
  EXPECT_TRUE(none.add("x"));
}

TEST(AppendedFile, TimesAreInUtc) { EXPECT_EQ(utc_text(1'600'000'000.25), "2020-09-13T12:26:40.250Z"); }

}  // namespace
}  // namespace ventris::serving
