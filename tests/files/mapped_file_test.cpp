#include "files/mapped_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "core/error.h"
#include "files/files.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::files {
namespace {
using core::SharedBytes;

/// More than a block and not a multiple of a page.
std::string many_bytes() {
  std::string bytes;
  for (int i = 0; i < 1'000'003; ++i) bytes += static_cast<char>(i * 7 + i / 251);
  return bytes;
}

TEST(MappedFile, HasTheBytesOfTheFileAndTheirChecksum) {
  const test::TempFolder folder;
  for (const std::string& bytes : {std::string(), std::string("x"), many_bytes()}) {
    const MappedFile file(folder.file("f", bytes));
    EXPECT_EQ(file.size(), bytes.size());
    EXPECT_EQ(file.checksum(), crc32(bytes));
    EXPECT_TRUE(file.map());
    EXPECT_EQ(file.map().view(), bytes);
  }
}

TEST(MappedFile, ItsBytesOutliveItAndTheFile) {
  const test::TempFolder folder;
  SharedBytes bytes;
  {
    const MappedFile file(folder.file("f", many_bytes()));
    bytes = file.map();
  }
  std::filesystem::remove(folder.path("f"));
  const SharedBytes copy = bytes;
  bytes = {};
  EXPECT_EQ(copy.view(), many_bytes());
}

TEST(MappedFile, WhatIsNoRegularFileIsRefused) {
  const test::TempFolder folder;
  EXPECT_FAILS(MappedFile(folder.path("none")), UnreadableError, "none: cannot be read: No such file or directory");
  EXPECT_FAILS(MappedFile(folder.path()), UnreadableError, "expected a regular file");
  ASSERT_EQ(mkfifo(folder.path("pipe").c_str(), 0600), 0);
  EXPECT_FAILS(MappedFile(folder.path("pipe")), UnreadableError, "pipe: expected a regular file");
}

/// Memory of this process whose pages belong to files, in KiB.
int64_t file_pages() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word != "RssFile:") continue;
    int64_t kib = 0;
    status >> kib;
    return kib;
  }
  return -1;
}

TEST(SharedBytes, ReleasedPagesAreNoMemoryOfTheProcessAndComeBack) {
  const test::TempFolder folder;
  const std::string content(20 << 20, 'x');
  const SharedBytes bytes = MappedFile(folder.file("f", content)).map();
  EXPECT_TRUE(bytes.mapped());
  EXPECT_EQ(bytes.view(), content);
  const int64_t before = file_pages();
  bytes.release(bytes.view());
  EXPECT_LT(file_pages(), before - (15 << 10));
  EXPECT_EQ(bytes.view(), content);
  bytes.release(bytes.view().substr(5000, 3));
  bytes.release({});
  EXPECT_EQ(bytes.view(), content);
}

TEST(SharedBytes, MemoryOfItsOwnIsNeverReleased) {
  const std::string content(3 << 20, 'x');
  const SharedBytes bytes(content);
  EXPECT_FALSE(bytes.mapped());
  bytes.release(bytes.view());
  EXPECT_EQ(bytes.view(), content);
  EXPECT_TRUE(SharedBytes(std::string()));
  EXPECT_FALSE(SharedBytes());
}

}  // namespace
}  // namespace ventris::files
