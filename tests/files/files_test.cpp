#include "files/files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include "core/error.h"
#include "core/process.h"
#include "support/errors.h"
#include "support/file_size_limit.h"
#include "support/folder_entries.h"
#include "support/gzip.h"
#include "support/temp_folder.h"

namespace {

/// What linkat fails with, as on file systems that we do not have here; 0 = nothing.
int link_error = 0;

}  // namespace

// Taken by the linker in place of the C library's.
// NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name): the names there are reserved
extern "C" int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) noexcept {
  if (link_error == 0) return static_cast<int>(syscall(SYS_linkat, from_folder, from, to_folder, to, flags));
  errno = link_error;
  return -1;
}

namespace ventris::files {
namespace {
using core::install_stop_handlers;

namespace fs = std::filesystem;

using Names = std::vector<std::string>;
using test::entries;

class FilesTest : public testing::Test {
 protected:
  test::TempFolder folder;
};

TEST(Crc32, MatchesThePublishedCheckValue) {
  EXPECT_EQ(crc32("123456789"), 0xCBF43926U);
  EXPECT_EQ(crc32(""), 0U);
}

TEST_F(FilesTest, UnreadablePathsSayWhy) {
  EXPECT_FAILS(read_file(folder.path("none")), DataError, "none: cannot be read: No such file");
  EXPECT_FAILS(read_file(folder.path()), DataError, "is a folder, expected a file");
  EXPECT_FAILS(check_readable(folder.path("none/deeper")), DataError, "No such file");
}

TEST_F(FilesTest, WrittenBytesComeBack) {
  std::string bytes;
  for (int i = 0; i < 300000; ++i) bytes += static_cast<char>(i * 7);
  write_file(folder.path("a"), bytes);
  EXPECT_EQ(read_file(folder.path("a")), bytes);
  EXPECT_EQ(entries(folder.path()), Names{"a"});
}

TEST_F(FilesTest, WithoutCommitTheOldFileStaysAndNothingElse) {
  const std::string path = folder.file("a", "old");
  {
    OutputFile file(path);
    file.write("new");
    file.flush();
    EXPECT_EQ(read_file(path), "old");
  }
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(entries(folder.path()), Names{"a"});
}

bool has_nameless_files(const std::string& folder) {
  const int descriptor = open(folder.c_str(), O_WRONLY | O_TMPFILE, 0600);
  if (descriptor >= 0) close(descriptor);
  return descriptor >= 0;
}

TEST_F(FilesTest, AKilledWriterLeavesTheOldFileAndNothingElse) {
  if (!has_nameless_files(folder.path())) GTEST_SKIP() << "this file system has no files without names";
  const std::string path = folder.file("a", "old");
  const auto killed_midway = [&] {
    OutputFile file(path);
    file.write("new");
    file.flush();
    std::raise(SIGKILL);
  };
  EXPECT_EXIT(killed_midway(), testing::KilledBySignal(SIGKILL), "");
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(entries(folder.path()), Names{"a"});
}

TEST_F(FilesTest, TwoWritersOfOneFileDoNotMix) {
  if (!has_nameless_files(folder.path())) GTEST_SKIP() << "this file system has no files without names";
  const std::string path = folder.path("a");
  OutputFile first(path), second(path);
  first.write("first");
  second.write("second");
  first.commit();
  EXPECT_EQ(read_file(path), "first");
  second.commit();
  EXPECT_EQ(read_file(path), "second");
  EXPECT_EQ(entries(folder.path()), Names{"a"});
}

TEST_F(FilesTest, ATemporaryNameThatIsTakenMeanwhileIsNoHindrance) {
  const std::string path = folder.path("a"), taken = ".tmp-" + std::to_string(getpid()) + "-a";
  folder.file(taken, "of an earlier process with this number");
  write_file(path, "by name");
  EXPECT_EQ(read_file(path), "by name");
  OutputFile file(path);
  file.write("without");
  folder.file(taken, "of another machine");
  file.commit();
  EXPECT_EQ(read_file(path), "without");
  EXPECT_EQ(entries(folder.path()), Names{"a"});
}

TEST_F(FilesTest, AFileThatMayNotBeNamedIsAnErrorAndTheOldOneStays) {
  if (!has_nameless_files(folder.path())) GTEST_SKIP() << "this file system has no files without names";
  const std::string path = folder.file("a", "old");
  link_error = EACCES;
  EXPECT_FAILS(write_file(path, "new"), WriteError, "a: cannot be written: Permission denied");
  link_error = 0;
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(entries(folder.path()), Names{"a"});
}

TEST_F(FilesTest, UnwritablePathsSayWhy) {
  EXPECT_FAILS(OutputFile(folder.path()), WriteError, "is a folder, expected a file name to write to");
  EXPECT_FAILS(OutputFile(folder.path("none/a")), WriteError, "none/a: cannot be written: No such file");
  EXPECT_FAILS(OutputFile(folder.path(std::string(300, 'x'))), WriteError, "x: cannot be written: File name too long");
  fs::create_symlink("loop", folder.path("loop"));
  EXPECT_FAILS(OutputFile(folder.path("loop")), WriteError, "loop: cannot be written: Too many levels");
}

TEST_F(FilesTest, ANameThatBecameAFolderMeanwhileIsAnError) {
  const std::string path = folder.path("a");
  OutputFile file(path);
  fs::create_directory(path);
  EXPECT_FAILS(file.commit(), WriteError, "a: cannot be put in place: Is a directory");
}

TEST_F(FilesTest, ALinkStaysAndWhatItLeadsToIsWritten) {
  fs::create_directory(folder.path("deep"));
  folder.file("deep/a", "old");
  fs::create_symlink("deep/a", folder.path("link"));
  fs::create_symlink("link", folder.path("farther"));
  fs::create_symlink("deep/b", folder.path("dangling"));
  write_file(folder.path("farther"), "new");
  write_file(folder.path("dangling"), "made");
  EXPECT_EQ(read_file(folder.path("deep/a")), "new");
  EXPECT_EQ(read_file(folder.path("deep/b")), "made");
  EXPECT_EQ(fs::read_symlink(folder.path("farther")), "link");
  EXPECT_EQ(fs::read_symlink(folder.path("link")), "deep/a");
  EXPECT_EQ(entries(folder.path("deep")), (Names{"a", "b"}));
}

TEST_F(FilesTest, AReplacedFileKeepsItsPermissions) {
  const std::string path = folder.file("a", "old");
  for (const auto mode : {fs::perms{0600}, fs::perms{0666}}) {
    fs::permissions(path, mode);
    write_file(path, "new");
    EXPECT_EQ(fs::status(path).permissions(), mode);
  }
}

TEST_F(FilesTest, OpenDescriptorsAreWrittenByTheirNames) {
  const std::string path = folder.file("a", "before "), link = folder.path("link");
  const int descriptor = open(path.c_str(), O_WRONLY);
  fs::create_symlink("/proc/self/fd/" + std::to_string(descriptor), link);
  write_file(link, "after");
  close(descriptor);
  EXPECT_EQ(read_file(path), "before after");
  ASSERT_TRUE(fs::is_symlink(link));  // or the next lines would cost the machine its /dev/stdout
  testing::internal::CaptureStdout();
  write_file("/dev/stdout", "one ");
  write_file("-", "two");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "one two");
  EXPECT_EQ(entries(folder.path()), (Names{"a", "link"}));
}

TEST_F(FilesTest, AFullDeviceIsAnError) {
  OutputFile file("/dev/full");
  file.write("text");
  EXPECT_FAILS(file.commit(), WriteError, "/dev/full: cannot be written: No space left on device");
}

TEST_F(FilesTest, AFullDiskLeavesTheOldFileAsItWas) {
  const std::string path = folder.file("a", "old");
  {
    const test::FileSizeLimit full_disk(1000);
    EXPECT_FAILS(write_file(path, std::string(5000, 'x')), WriteError, "cannot be written: File too large");
  }
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(entries(folder.path()), Names{"a"});
}

TEST_F(FilesTest, ANameThatEndsInGzIsPackedWhereAskedFor) {
  const std::string text(200'000, 'x');
  for (const char* name : {"out.gz", "out.txt"}) {
    OutputFile file(folder.path(name), Packing::kBySuffix);
    file.write("first\n");
    file.flush();
    file.write(text);
    file.commit();
  }
  EXPECT_EQ(read_file(folder.path("out.txt")), "first\n" + text);
  EXPECT_EQ(test::unpacked(read_file(folder.path("out.gz"))), "first\n" + text);
  EXPECT_LT(read_file(folder.path("out.gz")).size(), 2000U);
  OutputFile(folder.path("nothing.gz"), Packing::kBySuffix).commit();
  EXPECT_EQ(test::unpacked(read_file(folder.path("nothing.gz"))), "");
  write_file(folder.path("plain.gz"), text);
  EXPECT_EQ(read_file(folder.path("plain.gz")), text);
}

TEST_F(FilesTest, WhatWasFlushedCanBeUnpackedBeforeTheEnd) {
  ASSERT_EQ(mkfifo(folder.path("pipe.gz").c_str(), 0600), 0);
  const int reader = open(folder.path("pipe.gz").c_str(), O_RDONLY | O_NONBLOCK);
  OutputFile file(folder.path("pipe.gz"), Packing::kBySuffix);
  file.write("first\n");
  file.flush();
  std::string block(1000, '\0');
  block.resize(static_cast<size_t>(read(reader, block.data(), block.size())));
  EXPECT_EQ(test::unpacked(block), "first\n");
  close(reader);
}

TEST_F(FilesTest, WorkThatIsBrokenOffIsKeptUnderANameOfItsOwn) {
  const std::string path = folder.file("out", "old");
  folder.file("out.partial", "of somebody");
  OutputFile file(path);
  file.write("new");
  EXPECT_EQ(file.keep_partial(), folder.path("out.partial-2"));
  OutputFile packed(folder.path("out.gz"), Packing::kBySuffix);
  packed.write("packed");
  EXPECT_EQ(packed.keep_partial(), folder.path("out.partial.gz"));
  EXPECT_EQ(read_file(path) + "|" + read_file(folder.path("out.partial")), "old|of somebody");
  EXPECT_EQ(read_file(folder.path("out.partial-2")), "new");
  EXPECT_EQ(test::unpacked(read_file(folder.path("out.partial.gz"))), "packed");
}

TEST_F(FilesTest, NothingIsKeptWhereNothingWasWrittenOrAllIsOut) {
  OutputFile(folder.path("out.gz"), Packing::kBySuffix).keep_partial();
  OutputFile("/dev/null").keep_partial();
  EXPECT_EQ(entries(folder.path()), Names{});
  OutputFile device("/dev/null");
  device.write("text");
  EXPECT_EQ(device.keep_partial(), "");
}

TEST_F(FilesTest, APartIsKeptAlsoWithoutLinks) {
  folder.file("out.partial", "of somebody");
  const std::string temporary = folder.file(".tmp-" + std::to_string(getpid()) + "-out", "");  // so it gets this name
  OutputFile file(folder.path("out"));
  file.write("new");
  link_error = EPERM;
  const std::string kept = file.keep_partial();
  link_error = 0;
  EXPECT_EQ(kept, folder.path("out.partial-2"));
  EXPECT_EQ(read_file(kept), "new");
}

TEST_F(FilesTest, AStopSignalEndsTheWaitForTheOtherSideOfAPipe) {
  ASSERT_EQ(mkfifo(folder.path("pipe").c_str(), 0600), 0);
  const auto stopped = [&](bool writes) {
    install_stop_handlers();
    const pthread_t waiting = pthread_self();
    const std::jthread signals([waiting](const std::stop_token& stop) {
      while (!stop.stop_requested()) {  // several, because the first may come before the wait
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        pthread_kill(waiting, SIGTERM);  // NOLINT(bugprone-bad-signal-to-kill-thread): its handler returns
      }
    });
    try {
      if (writes) OutputFile(folder.path("pipe"));
      read_file(folder.path("pipe"));
    } catch (const Interrupted& stop) {
      _exit(stop.signal);
    }
    _exit(0);
  };
  EXPECT_EXIT(stopped(true), testing::ExitedWithCode(SIGTERM), "");
  EXPECT_EXIT(stopped(false), testing::ExitedWithCode(SIGTERM), "");
}

TEST_F(FilesTest, AfterAStopSignalAReaderThatTakesNothingIsNotWaitedFor) {
  ASSERT_EQ(mkfifo(folder.path("pipe").c_str(), 0600), 0);
  const int reader = open(folder.path("pipe").c_str(), O_RDWR);
  ASSERT_GE(reader, 0);
  const auto stopped = [&] {
    install_stop_handlers();
    OutputFile file(folder.path("pipe"));
    file.write("taken\n");
    file.flush();
    raise(SIGTERM);
    try {
      file.write(std::string(1 << 20, 'x'));  // more than a pipe holds
      file.flush();
    } catch (const Interrupted& stop) {
      const bool nothing_kept = file.keep_partial().empty();  // it does not wait again
      try {
        file.commit();
        _exit(2);
      } catch (const Interrupted&) {
      }
      _exit(nothing_kept ? stop.signal : 1);
    }
    _exit(0);
  };
  EXPECT_EXIT(stopped(), testing::ExitedWithCode(SIGTERM), "");
  close(reader);
}

TEST_F(FilesTest, AStopSignalEndsTheReadingOfADevice) {
  const auto stopped = [] {
    install_stop_handlers();
    raise(SIGTERM);
    try {
      read_file("/dev/zero");
    } catch (const Interrupted& stop) {
      _exit(stop.signal);
    }
    _exit(0);
  };
  EXPECT_EXIT(stopped(), testing::ExitedWithCode(SIGTERM), "");
}

/// As the user "nobody" while it lives, if the test runs as root.
class AsNobody {
 public:
  AsNobody() : root_(geteuid() == 0) {
    if (root_) changed_ = seteuid(65534) == 0;
  }
  ~AsNobody() {
    if (root_) static_cast<void>(seteuid(0) == 0);
  }
  AsNobody(const AsNobody&) = delete;
  AsNobody& operator=(const AsNobody&) = delete;
  bool possible() const { return !root_ || changed_; }

 private:
  bool root_, changed_ = false;
};

TEST(OutputFile, AFileThatMayNotBeWrittenIsNotReplaced) {
  const test::TempFolder folder;
  const std::string path = folder.file("a.txt", "old");
  ASSERT_EQ(chmod(path.c_str(), 0444), 0);
  ASSERT_EQ(chmod(folder.path().c_str(), 0777), 0);
  {
    const AsNobody nobody;
    if (!nobody.possible()) GTEST_SKIP() << "another user is needed";
    EXPECT_FAILS(OutputFile{path}, WriteError, "a.txt: cannot be replaced: Permission denied");
  }
  EXPECT_EQ(read_file(path), "old");
}

TEST(OutputFile, RootKeepsTheOwnerOfAFile) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can";
  const test::TempFolder folder;
  const std::string path = folder.file("a.txt", "old");
  ASSERT_EQ(chown(path.c_str(), 65534, 65534), 0);
  write_file(path, "new");
  struct stat status{};
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_uid, 65534U);
  EXPECT_EQ(read_file(path), "new");
}

}  // namespace
}  // namespace ventris::files
