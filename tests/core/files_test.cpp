#include "core/files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>

#include "core/error.h"
#include "support/errors.h"
#include "support/gone_process.h"
#include "support/temp_folder.h"

namespace {

/// What the system calls below fail with, as on file systems that we do not have here; 0 = nothing.
int lock_error = 0;
int swap_error = 0;
int link_error = 0;
std::string unreachable;  // no temporary name can be renamed to this

int refuse(int error) {
  errno = error;
  return -1;
}

}  // namespace

// Taken by the linker in place of the C library's.
#pragma GCC diagnostic ignored "-Wshadow"  // there is a struct flock, too
extern "C" int flock(int descriptor, int operation) noexcept {
  return lock_error != 0 ? refuse(lock_error) : static_cast<int>(syscall(SYS_flock, descriptor, operation));
}
extern "C" int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) noexcept {
  if (link_error != 0) return refuse(link_error);
  return static_cast<int>(syscall(SYS_linkat, from_folder, from, to_folder, to, flags));
}
extern "C" int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) noexcept {
  if (swap_error != 0) return refuse(swap_error);
  return static_cast<int>(syscall(SYS_renameat2, from_folder, from, to_folder, to, flags));
}
extern "C" int rename(const char* from, const char* to) noexcept {
  if (to == unreachable && std::string(from).find("/.tmp-") != std::string::npos) return refuse(EIO);
  return static_cast<int>(syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}

namespace ventris::core {
namespace {

namespace fs = std::filesystem;

using Names = std::vector<std::string>;

std::vector<std::string> entries(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// How often writing stops at a limit on the size of files, which a full disk looks like.
int refusals_past_a_size_limit(const std::string& file, const std::string& model) {
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{1000, 1000};
  setrlimit(RLIMIT_FSIZE, &limit);
  int refused = 0;
  try {
    write_file(file, std::string(5000, 'x'));
  } catch (const WriteError&) {
    ++refused;
  }
  try {
    write_folder(model, {{"x", "new"}, {"y", std::string(5000, 'y')}});
  } catch (const WriteError&) {
    ++refused;
  }
  return refused;
}

class FilesTest : public testing::Test {
 protected:
  void TearDown() override {
    lock_error = swap_error = 0;
    unreachable.clear();
  }
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
  EXPECT_FAILS(write_folder(folder.file("a", "") + "/deep/m", {{"x", "1"}}), WriteError,
               "a/deep: cannot make the folder: Not a directory");
  EXPECT_FAILS(write_folder("/proc/m", {{"x", "1"}}), WriteError, "/proc: not enough free space: 1 bytes needed");
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

TEST_F(FilesTest, AFullDiskLeavesTheOldFilesAsTheyWere) {
  const std::string path = folder.file("a", "old");
  write_folder(folder.path("model"), {{"x", "old"}});
  EXPECT_EXIT(_exit(refusals_past_a_size_limit(path, folder.path("model"))), testing::ExitedWithCode(2), "");
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(verify_folder(folder.path("model")), Names{"x"});
  EXPECT_EQ(read_file(folder.path("model/x")), "old");
  EXPECT_EQ(entries(folder.path()), (Names{"a", "model"}));
}

TEST_F(FilesTest, AFolderIsReplacedInOneStep) {
  const std::string path = folder.path("deep/model");
  write_folder(path, {{"a", "1"}, {"b", "22"}});
  EXPECT_EQ(verify_folder(path), (Names{"a", "b"}));
  write_folder(path, {{"c", ""}});
  EXPECT_EQ(verify_folder(path), Names{"c"});
  EXPECT_EQ(entries(path), (Names{"MANIFEST", "c"}));
  EXPECT_EQ(entries(folder.path("deep")), Names{"model"});
}

TEST_F(FilesTest, WhereNamesCannotBeSwappedAFolderIsReplacedInTwoSteps) {
  const std::string path = folder.path("model");
  swap_error = EINVAL;
  fs::create_directory(folder.path(".old-model"));
  folder.file(".old-model/a", "of an earlier kill");
  write_folder(path, {{"a", "1"}});
  write_folder(path, {{"b", "2"}});
  EXPECT_EQ(verify_folder(path), Names{"b"});
  EXPECT_EQ(entries(folder.path()), Names{"model"});
}

TEST_F(FilesTest, AnOldFolderIsBackInItsPlaceIfTheNewOneCannotBe) {
  const std::string path = folder.path("model");
  write_folder(path, {{"a", "1"}});
  swap_error = ENOSYS;
  unreachable = path;
  EXPECT_FAILS(write_folder(path, {{"b", "2"}}), WriteError, "model: cannot be put in place: Input/output error");
  EXPECT_EQ(verify_folder(path), Names{"a"});
  EXPECT_EQ(entries(folder.path()), Names{"model"});
}

TEST_F(FilesTest, ASwapThatIsNotAllowedLeavesTheOldFolder) {
  const std::string path = folder.path("model");
  write_folder(path, {{"a", "1"}});
  swap_error = EPERM;
  EXPECT_FAILS(write_folder(path, {{"b", "2"}}), WriteError, "model: cannot be replaced: Operation not permitted");
  EXPECT_EQ(verify_folder(path), Names{"a"});
  EXPECT_EQ(entries(folder.path()), Names{"model"});
}

TEST_F(FilesTest, TheManifestNamesSizeAndChecksum) {
  write_folder(folder.path("m"), {{"a", "123456789"}});
  EXPECT_EQ(read_file(folder.path("m/MANIFEST")), "9 cbf43926 a\nEND\n");
}

TEST_F(FilesTest, EveryFlippedByteAndEveryTruncationOfAFolderIsFound) {
  const std::string content = "some weights";
  write_folder(folder.path("m"), {{"a", content}, {"b", "more"}});
  const std::string manifest = read_file(folder.path("m/MANIFEST"));
  for (const auto& [name, bytes] : {std::pair{"m/a", content}, std::pair{"m/MANIFEST", manifest}}) {
    for (size_t at = 0; at < bytes.size(); ++at) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ 0x81);
      folder.file(name, damaged);
      EXPECT_THROW(verify_folder(folder.path("m")), ModelError) << name << ' ' << at;
      folder.file(name, bytes.substr(0, at));
      EXPECT_THROW(verify_folder(folder.path("m")), ModelError) << name << ' ' << at;
    }
    folder.file(name, bytes);
  }
  EXPECT_EQ(verify_folder(folder.path("m")), (Names{"a", "b"}));
}

TEST_F(FilesTest, AFolderIsReadAsItWasWritten) {
  const std::vector<NamedBytes> files{{"b", "22"}, {"a", ""}, {"c", std::string(200'000, 'c')}};
  write_folder(folder.path("m"), files);
  EXPECT_EQ(read_folder(folder.path("m")), files);
}

TEST_F(FilesTest, ControlCharactersInAManifestAreDamageAndNeverReachTheMessage) {
  write_folder(folder.path("m"), {{"a", "123456789"}});
  for (const char control : {'\0', '\x1b', '\x7f'}) {
    folder.file("m/MANIFEST", std::string("9 cbf43926 a") + control + "b\nEND\n");
    EXPECT_FAILS(read_folder(folder.path("m")), ModelError, "MANIFEST: bad line '9 cbf43926 a?b'");
  }
}

TEST_F(FilesTest, AManifestThatMeansTheSameButIsWrittenOtherwiseIsDamaged) {
  write_folder(folder.path("m"), {{"a", "123456789"}});
  for (const char* text :
       {"9 CBF43926 a\nEND\n", " 9 cbf43926 a\nEND\n", "+9 cbf43926 a\nEND\n", "9\tcbf43926 a\nEND\n",
        "9 cbf43926 a more\nEND\n", "9 cbf43926 a\n9 cbf43926 a\nEND\n", "9 cbf43926 a\r\nEND\n"}) {
    folder.file("m/MANIFEST", text);
    EXPECT_FAILS(read_folder(folder.path("m")), ModelError, "MANIFEST: bad line") << text;
  }
}

TEST_F(FilesTest, AManifestThatEndsTooEarlyOrTooLateIsDamaged) {
  write_folder(folder.path("m"), {{"a", "123456789"}});
  folder.file("m/MANIFEST", "9 cbf43926 a\n");
  EXPECT_FAILS(read_folder(folder.path("m")), ModelError, "MANIFEST: does not end with END; the file is truncated");
  folder.file("m/MANIFEST", "9 cbf43926 a\nEND\nEND\n");
  EXPECT_FAILS(read_folder(folder.path("m")), ModelError, "MANIFEST: text after END; the file is damaged");
}

TEST_F(FilesTest, DamagedFoldersAreRefusedByName) {
  const std::string path = folder.path("m");
  EXPECT_FAILS(verify_folder(path), ModelError, "m: not a folder");
  fs::create_directory(path);
  EXPECT_FAILS(verify_folder(path), ModelError, "m: has no MANIFEST");
  write_folder(path, {{"a", "text"}});
  folder.file("m/a", "texts");
  EXPECT_FAILS(verify_folder(path), ModelError, "m/a: damaged: expected 4 bytes by MANIFEST, found 5");
  folder.file("m/a", "teXt");
  EXPECT_FAILS(verify_folder(path), ModelError, "m/a: damaged: its checksum differs");
  fs::remove(folder.path("m/a"));
  EXPECT_FAILS(verify_folder(path), ModelError, "m/a: named in MANIFEST but missing");
}

TEST_F(FilesTest, NamesThatLeaveTheFolderAreRefused) {
  folder.file("secret", "123456789");
  fs::create_directory(folder.path("m"));
  for (const char* name : {"../secret", "/etc/passwd", "..", ".hidden", "a/b"}) {
    folder.file("m/MANIFEST", std::string("9 cbf43926 ") + name + "\nEND\n");
    EXPECT_FAILS(verify_folder(folder.path("m")), ModelError, "bad line '9 cbf43926") << name;
  }
}

TEST_F(FilesTest, LeftoversOfAKilledProcessGoAndNothingElse) {
  const std::string gone = ".tmp-" + std::to_string(test::process_that_is_gone());
  folder.file(gone + "-model", "half");
  fs::create_directory(folder.path(gone + "-step"));
  folder.file(gone + "-step/a", "half");
  const std::string alive = ".tmp-" + std::to_string(getppid()) + "-model";
  folder.file(alive, "being written");
  folder.file(".tmp-notes", "no file of ours");
  folder.file("kept", "whole");
  folder.file(".old-notes", "not a folder of ours");
  remove_leftovers(folder.path());
  EXPECT_EQ(entries(folder.path()), (Names{".old-notes", alive, ".tmp-notes", "kept"}));
  remove_leftovers(folder.path("none"));
}

TEST_F(FilesTest, AnOldFolderThatIsAllThereIsAfterAKillIsPutBack) {
  write_folder(folder.path("model"), {{"a", "1"}});
  fs::rename(folder.path("model"), folder.path(".old-model"));
  remove_leftovers(folder.path());
  EXPECT_EQ(verify_folder(folder.path("model")), Names{"a"});
  write_folder(folder.path(".old-model"), {{"b", "out of date"}});
  remove_leftovers(folder.path());
  EXPECT_EQ(verify_folder(folder.path("model")), Names{"a"});
  EXPECT_EQ(entries(folder.path()), Names{"model"});
}

TEST_F(FilesTest, AFolderMayBeNamedWithASlashAtItsEnd) {
  for (const char* content : {"1", "2"}) write_folder(folder.path("model/"), {{"a", content}});
  EXPECT_EQ(test::file_bytes(folder.path("model/a")), "2");
  EXPECT_EQ(entries(folder.path()), Names{"model"});
}

TEST_F(FilesTest, AFolderThatPeopleNameReplacesOnlyAnother) {
  check_folder_target(folder.path("none"));
  fs::create_directory(folder.path("empty"));
  check_folder_target(folder.path("empty"));
  write_folder(folder.path("model"), {{"a", "1"}});
  check_folder_target(folder.path("model/"));
  EXPECT_FAILS(check_folder_target(folder.file("notes", "")), ConfigError, "notes: is there and is no model folder");
  EXPECT_FAILS(check_folder_target(folder.path()), ConfigError, "is there and is no model folder");
  EXPECT_FAILS(check_folder_target(""), ConfigError, "has no name");
}

TEST_F(FilesTest, OnlyOneMayHoldTheLock) {
  {
    const FolderLock first(folder.path());
    EXPECT_FAILS(FolderLock(folder.path()), ConfigError, "another ventris-train is working in this folder");
  }
  const FolderLock again(folder.path());
}

TEST_F(FilesTest, AFileSystemWithoutLocksIsNotAnotherTrainer) {
  lock_error = ENOLCK;
  EXPECT_FAILS(FolderLock(folder.path()), WriteError, ".lock: cannot be locked: No locks available");
}

}  // namespace
}  // namespace ventris::core
