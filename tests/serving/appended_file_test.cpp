#include "serving/appended_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>

#include "core/error.h"
#include "support/errors.h"
#include "support/file_size_limit.h"
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

TEST(AppendedFile, ALineThatOnlyBeganToBeWrittenIsTakenBack) {
  const test::TempFolder folder;
  const std::string path = folder.path("log");
  AppendedFile file(path, "log");
  testing::internal::CaptureStderr();
  {
    const test::FileSizeLimit limit(10);
    EXPECT_TRUE(file.add("one"));
    EXPECT_FALSE(file.add("a long line"));
    EXPECT_TRUE(file.add("two"));
    EXPECT_FALSE(file.add("three"));
  }
  EXPECT_TRUE(file.add("four"));
  testing::internal::GetCapturedStderr();
  EXPECT_EQ(test::file_bytes(path), "one\ntwo\nfour\n");
}

TEST(AppendedFile, IfItCannotBeTakenBackTheNextLineIsStillOneOfItsOwn) {
  const int sealed = memfd_create("log", MFD_ALLOW_SEALING);
  ASSERT_EQ(fcntl(sealed, F_ADD_SEALS, F_SEAL_SHRINK), 0);
  const std::string path = "/proc/self/fd/" + std::to_string(sealed);
  AppendedFile file(path, "log");
  testing::internal::CaptureStderr();
  {
    const test::FileSizeLimit limit(10);
    EXPECT_TRUE(file.add("one"));
    EXPECT_FALSE(file.add("a long line"));
    EXPECT_FALSE(file.add("two"));
  }
  EXPECT_TRUE(file.add("three"));
  EXPECT_TRUE(file.add("four"));
  testing::internal::GetCapturedStderr();
  EXPECT_EQ(test::file_bytes(path), "one\na long\nthree\nfour\n");
  close(sealed);
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
