#include "files/folders.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <thread>

#include "core/error.h"
#include "files/files.h"
#include "support/errors.h"
#include "support/file_size_limit.h"
#include "support/folder_entries.h"
#include "support/gone_process.h"
#include "support/temp_folder.h"

namespace {

/// What the system calls below fail with, as on file systems that we do not have here; 0 = nothing.
int lock_error = 0;
int swap_error = 0;
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
// NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name): the names there are reserved
extern "C" int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) noexcept {
  if (swap_error != 0) return refuse(swap_error);
  return static_cast<int>(syscall(SYS_renameat2, from_folder, from, to_folder, to, flags));
}
// NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name): the names there are reserved
extern "C" int rename(const char* from, const char* to) noexcept {
  if (to == unreachable && std::string(from).find("/.tmp-") != std::string::npos) return refuse(EIO);
  return static_cast<int>(syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}

namespace ventris::files {
namespace {

namespace fs = std::filesystem;

using Names = std::vector<std::string>;
using test::entries;

class FoldersTest : public testing::Test {
 protected:
  void TearDown() override {
    lock_error = swap_error = 0;
    unreachable.clear();
  }
  test::TempFolder folder;
};

TEST_F(FoldersTest, AFullDiskLeavesTheOldFolderAsItWas) {
  const std::string path = folder.path("model");
  write_folder(path, {{"x", "old"}});
  {
    const test::FileSizeLimit full_disk(1000);
    EXPECT_FAILS(write_folder(path, {{"x", "new"}, {"y", std::string(5000, 'y')}}), WriteError,
                 "cannot be written: File too large");
  }
  EXPECT_EQ(verify_folder(path), Names{"x"});
  EXPECT_EQ(read_file(folder.path("model/x")), "old");
  EXPECT_EQ(entries(folder.path()), Names{"model"});
}

TEST_F(FoldersTest, ALargeFileIsMappedAfterTheSameChecks) {
  const std::string path = folder.path("model");
  write_folder(path, {{"small", "1"}, {"large", std::string(100'000, 'x')}, {"other", "3"}});
  const auto files = map_folder(path, {"small", "large"}, {"large"});
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[0].bytes, "1");
  EXPECT_FALSE(files[0].mapped);
  EXPECT_EQ(files[1].name, "large");
  EXPECT_EQ(files[1].mapped.view(), std::string(100'000, 'x'));
  folder.file("model/large", std::string(99'999, 'x') + "y");
  EXPECT_FAILS(map_folder(path, {}, {"large"}), ModelError, "large: damaged: its checksum differs from MANIFEST's");
  folder.file("model/large", "x");
  EXPECT_FAILS(map_folder(path, {}, {"large"}), ModelError, "large: damaged: MANIFEST says 100000 bytes, found 1");
}

TEST_F(FoldersTest, WhatWasChangedIsFoundAndRead) {
  const std::string path = folder.path("edited");
  write_folder(path, {{"a", "1"}, {"b", "22"}, {"c", "333"}});
  write_file(path + "/b", "23");
  write_file(path + "/c", "4");
  const auto files = read_changed_folder(path);
  ASSERT_EQ(files.size(), 3U);
  EXPECT_FALSE(files[0].changed);
  EXPECT_TRUE(files[1].changed && files[2].changed);
  EXPECT_EQ(files[2].bytes, "4");
  EXPECT_EQ(files[2].listed_size, 3U);
}

TEST_F(FoldersTest, UnwritablePathsSayWhy) {
  EXPECT_FAILS(write_folder(folder.file("a", "") + "/deep/m", {{"x", "1"}}), WriteError,
               "a/deep: cannot create the folder: Not a directory");
  EXPECT_FAILS(write_folder("/proc/m", {{"x", "1"}}), WriteError, "/proc: not enough free space: 1 bytes needed");
}

TEST_F(FoldersTest, AFolderIsReplacedInOneStep) {
  const std::string path = folder.path("deep/model");
  write_folder(path, {{"a", "1"}, {"b", "22"}});
  EXPECT_EQ(verify_folder(path), (Names{"a", "b"}));
  write_folder(path, {{"c", ""}});
  EXPECT_EQ(verify_folder(path), Names{"c"});
  EXPECT_EQ(entries(path), (Names{"MANIFEST", "c"}));
  EXPECT_EQ(entries(folder.path("deep")), Names{"model"});
}

TEST_F(FoldersTest, WhereNamesCannotBeSwappedAFolderIsReplacedInTwoSteps) {
  const std::string path = folder.path("model");
  swap_error = EINVAL;
  fs::create_directory(folder.path(".old-model"));
  folder.file(".old-model/a", "of an earlier kill");
  write_folder(path, {{"a", "1"}});
  write_folder(path, {{"b", "2"}});
  EXPECT_EQ(verify_folder(path), Names{"b"});
  EXPECT_EQ(entries(folder.path()), Names{"model"});
}

TEST_F(FoldersTest, AnOldFolderIsBackInItsPlaceIfTheNewOneCannotBe) {
  const std::string path = folder.path("model");
  write_folder(path, {{"a", "1"}});
  swap_error = ENOSYS;
  unreachable = path;
  EXPECT_FAILS(write_folder(path, {{"b", "2"}}), WriteError, "model: cannot be put in place: Input/output error");
  EXPECT_EQ(verify_folder(path), Names{"a"});
  EXPECT_EQ(entries(folder.path()), Names{"model"});
}

TEST_F(FoldersTest, ASwapThatIsNotAllowedLeavesTheOldFolder) {
  const std::string path = folder.path("model");
  write_folder(path, {{"a", "1"}});
  swap_error = EPERM;
  EXPECT_FAILS(write_folder(path, {{"b", "2"}}), WriteError, "model: cannot be replaced: Operation not permitted");
  EXPECT_EQ(verify_folder(path), Names{"a"});
  EXPECT_EQ(entries(folder.path()), Names{"model"});
}

TEST_F(FoldersTest, WhatOthersPutIntoAFolderIsFoundInTheNewOne) {
  const std::string path = folder.path("model");
  for (const int error : {0, EINVAL}) {
    swap_error = error;
    write_folder(path, {{"a", "1"}, {"b", "22"}});
    folder.file("model/notes.txt", "mine");
    fs::create_directories(path + "/thesis/figures");
    folder.file("model/thesis/figures/one", "mine too");
    write_folder(path, {{"c", "3"}});
    EXPECT_EQ(verify_folder(path), Names{"c"});
    EXPECT_EQ(entries(path), (Names{"MANIFEST", "c", "notes.txt", "thesis"}));
    EXPECT_EQ(read_file(path + "/notes.txt"), "mine");
    EXPECT_EQ(read_file(path + "/thesis/figures/one"), "mine too");
    fs::remove_all(path);
  }
  EXPECT_EQ(entries(folder.path()), Names{});
}

TEST_F(FoldersTest, AFileThatTheManifestDoesNotListIsNotReplaced) {
  fs::create_directory(folder.path("model"));
  folder.file("model/config.json", "mine");
  EXPECT_FAILS(write_folder(folder.path("model"), {{"config.json", "1"}}), WriteError,
               "model/config.json: would be replaced, but no MANIFEST there lists it; move it elsewhere");
  EXPECT_EQ(read_file(folder.path("model/config.json")), "mine");
  EXPECT_FAILS(write_folder(folder.file("notes", "mine"), {{"a", "1"}}), WriteError,
               "notes: expected a folder to replace, found a file");
  EXPECT_EQ(read_file(folder.path("notes")), "mine");
}

TEST_F(FoldersTest, AFolderWithADamagedManifestIsReplaced) {
  write_folder(folder.path("model"), {{"a", "1"}});
  folder.file("model/MANIFEST", "1 83dcefb7");
  write_folder(folder.path("model"), {{"a", "2"}});
  EXPECT_EQ(read_folder(folder.path("model")), (std::vector<NamedBytes>{{"a", "2"}}));
}

TEST_F(FoldersTest, RemovingAFolderLeavesWhatOthersPutThere) {
  const std::string path = folder.path("model");
  write_folder(path, {{"a", "1"}, {"b", "22"}});
  EXPECT_TRUE(remove_folder(path, {}));
  EXPECT_FALSE(fs::exists(path));
  write_folder(path, {{"a", "1"}});
  folder.file("model/notes.txt", "mine");
  EXPECT_FALSE(remove_folder(path, {}));
  EXPECT_EQ(entries(path), Names{"notes.txt"});
  EXPECT_FALSE(remove_folder(path, {"notes.txt"})) << "without MANIFEST nothing there is ours";
  EXPECT_EQ(entries(path), Names{"notes.txt"});
  EXPECT_TRUE(remove_folder(folder.path("none"), {}));
}

TEST_F(FoldersTest, WithADamagedManifestTheUsualNamesAreRemoved) {
  write_folder(folder.path("model"), {{"a", "1"}, {"b", "2"}});
  folder.file("model/MANIFEST", "");
  EXPECT_FALSE(remove_folder(folder.path("model"), {"a"}));
  EXPECT_EQ(entries(folder.path("model")), Names{"b"});
}

TEST_F(FoldersTest, OfALinkToAFolderOnlyTheLinkIsRemoved) {
  write_folder(folder.path("elsewhere"), {{"a", "1"}});
  fs::create_directory_symlink(folder.path("elsewhere"), folder.path("model"));
  EXPECT_TRUE(remove_folder(folder.path("model"), {}));
  EXPECT_EQ(verify_folder(folder.path("elsewhere")), Names{"a"});
}

TEST_F(FoldersTest, TheManifestNamesSizeAndChecksum) {
  write_folder(folder.path("m"), {{"a", "123456789"}});
  EXPECT_EQ(read_file(folder.path("m/MANIFEST")), "9 cbf43926 a\nEND\n");
}

TEST_F(FoldersTest, EveryFlippedByteAndEveryTruncationOfAFolderIsFound) {
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

TEST_F(FoldersTest, AFolderThatIsReplacedMeanwhileIsReadAsTheOneOrTheOther) {
  const test::TempFolder memory(test::memory_folder());
  const std::string path = memory.path("m");
  const auto write = [&](size_t size) {
    write_folder(path, {{"a", std::string(size, 'a')}, {"b", std::string(size, 'b')}});
  };
  write(1);
  std::atomic<bool> over = false;
  std::thread writer([&] {
    for (size_t size = 2; size < 1000; ++size) write(size);
    over = true;
  });
  while (!over) {
    const auto files = read_folder(path);
    EXPECT_EQ(files.at(0).second.size(), files.at(1).second.size());
  }
  writer.join();
}

TEST_F(FoldersTest, AFolderIsReadAsItWasWritten) {
  const std::vector<NamedBytes> files{{"b", "22"}, {"a", ""}, {"c", std::string(200'000, 'c')}};
  write_folder(folder.path("m"), files);
  EXPECT_EQ(read_folder(folder.path("m")), files);
}

TEST_F(FoldersTest, ControlCharactersInAManifestAreDamageAndNeverReachTheMessage) {
  write_folder(folder.path("m"), {{"a", "123456789"}});
  for (const auto& [control, shown] :
       {std::pair{'\0', "\\x00"}, {'\x1b', "\\x1b"}, {'\x7f', "\\x7f"}, {'\xff', "\\xff"}}) {
    folder.file("m/MANIFEST", std::string("9 cbf43926 a") + control + "b\nEND\n");
    EXPECT_FAILS(read_folder(folder.path("m")), ModelError,
                 std::string("MANIFEST: bad line '9 cbf43926 a") + shown + "b'");
  }
}

TEST_F(FoldersTest, ZerosMayStandBeforeAChecksumInAManifest) {
  write_folder(folder.path("m"), {{"a", "a"}, {"x", "\x9d\x0a\xd9\x6d"}, {"b", "on"}});
  const std::string ours = read_file(folder.path("m/MANIFEST"));
  ASSERT_EQ(ours, "1 e8b7be43 a\n4 0 x\n2 9b629c8 b\nEND\n");
  for (const char* text :
       {"1 e8b7be43 a\n4 00000000 x\n2 09b629c8 b\nEND\n", "1 e8b7be43 a\n4 00 x\n2 9b629c8 b\nEND\n"}) {
    folder.file("m/MANIFEST", text);
    EXPECT_EQ(verify_folder(folder.path("m")).size(), 3U) << text;
  }
  for (const char* text : {"1 0e8b7be43 a\nEND\n", "4 000000000 x\nEND\n", "01 e8b7be43 a\nEND\n", "4  x\nEND\n",
                           "2 0x9b629c8 b\nEND\n", "2 09B629C8 b\nEND\n", "4 0\nEND\n", "4 0 \nEND\n", "4\nEND\n"}) {
    folder.file("m/MANIFEST", text);
    EXPECT_FAILS(verify_folder(folder.path("m")), ModelError, "MANIFEST: bad line") << text;
  }
  folder.file("m/MANIFEST", "1 08b7be43 a\nEND\n");
  EXPECT_FAILS(verify_folder(folder.path("m")), ModelError, "m/a: damaged: its checksum differs");
}

TEST_F(FoldersTest, AManifestThatMeansTheSameButIsWrittenOtherwiseIsDamaged) {
  write_folder(folder.path("m"), {{"a", "123456789"}});
  for (const char* text :
       {"9 CBF43926 a\nEND\n", " 9 cbf43926 a\nEND\n", "+9 cbf43926 a\nEND\n", "9\tcbf43926 a\nEND\n",
        "9 cbf43926 a more\nEND\n", "9 cbf43926 a\n9 cbf43926 a\nEND\n", "9 cbf43926 a\r\nEND\n"}) {
    folder.file("m/MANIFEST", text);
    EXPECT_FAILS(read_folder(folder.path("m")), ModelError, "MANIFEST: bad line") << text;
  }
}

TEST_F(FoldersTest, AManifestThatEndsTooEarlyOrTooLateIsDamaged) {
  write_folder(folder.path("m"), {{"a", "123456789"}});
  folder.file("m/MANIFEST", "9 cbf43926 a\n");
  EXPECT_FAILS(read_folder(folder.path("m")), ModelError, "MANIFEST: does not end with END; the file is truncated");
  folder.file("m/MANIFEST", "9 cbf43926 a\nEND\nEND\n");
  EXPECT_FAILS(read_folder(folder.path("m")), ModelError, "MANIFEST: text after END; the file is damaged");
}

TEST_F(FoldersTest, DamagedFoldersAreRefusedByName) {
  const std::string path = folder.path("m");
  EXPECT_FAILS(verify_folder(path), ModelError, "m: not a folder");
  fs::create_directory(path);
  EXPECT_FAILS(verify_folder(path), ModelError, "m: has no MANIFEST");
  write_folder(path, {{"a", "text"}});
  folder.file("m/a", "texts");
  EXPECT_FAILS(verify_folder(path), ModelError, "m/a: damaged: MANIFEST says 4 bytes, found 5");
  folder.file("m/a", "teXt");
  EXPECT_FAILS(verify_folder(path), ModelError, "m/a: damaged: its checksum differs");
  fs::remove(folder.path("m/a"));
  EXPECT_FAILS(verify_folder(path), ModelError, "m/a: named in MANIFEST but missing");
}

TEST_F(FoldersTest, WhatIsDeniedIsNotCalledDamaged) {
  const std::string locked = folder.path("locked");
  fs::create_directories(locked + "/model");
  write_file(locked + "/model/MANIFEST", "");
  const auto refused = [&](const std::string& place) {
    EXPECT_EXIT(
        {
          if (geteuid() == 0 && seteuid(65534) != 0) _exit(77);  // root may read everything
          try {
            read_folder(locked + "/model");
          } catch (const UnreadableError& error) {
            _exit(std::string(error.what()) == place + ": cannot be read: Permission denied" ? 0 : 1);
          }
          _exit(2);
        },
        testing::ExitedWithCode(0), "");
  };
  fs::permissions(folder.path(), fs::perms::all);
  fs::permissions(locked + "/model", fs::perms::none);
  refused(locked + "/model/MANIFEST");
  fs::permissions(locked, fs::perms::none);
  refused(locked + "/model");
  fs::permissions(locked, fs::perms::all);
  fs::permissions(locked + "/model", fs::perms::all);
}

TEST_F(FoldersTest, NamesThatLeaveTheFolderAreRefused) {
  folder.file("secret", "123456789");
  fs::create_directory(folder.path("m"));
  for (const char* name : {"../secret", "/etc/passwd", "..", ".hidden", "a/b"}) {
    folder.file("m/MANIFEST", std::string("9 cbf43926 ") + name + "\nEND\n");
    EXPECT_FAILS(verify_folder(folder.path("m")), ModelError, "bad line '9 cbf43926") << name;
  }
}

bool any_name(const std::string&) { return true; }

TEST_F(FoldersTest, LeftoversGoOnlyIfTheirNamesAreOurs) {
  const std::string gone = ".tmp-" + std::to_string(test::process_that_is_gone());
  folder.file(gone + "-mine", "mine");
  write_folder(folder.path(".old-mine"), {{"a", "mine"}});
  write_folder(folder.path("mine"), {{"a", "mine"}});
  remove_leftovers(folder.path(), [](const std::string& name) { return name == "model"; });
  EXPECT_EQ(entries(folder.path()), (Names{".old-mine", gone + "-mine", "mine"}));
}

TEST_F(FoldersTest, LeftoversOfAKilledProcessGoAndNothingElse) {
  const std::string gone = ".tmp-" + std::to_string(test::process_that_is_gone());
  folder.file(gone + "-model", "half");
  fs::create_directory(folder.path(gone + "-step"));
  folder.file(gone + "-step/a", "half");
  const std::string alive = ".tmp-" + std::to_string(getppid()) + "-model";
  folder.file(alive, "being written");
  folder.file(".tmp-notes", "no file of ours");
  folder.file("kept", "whole");
  folder.file(".old-notes", "not a folder of ours");
  remove_leftovers(folder.path(), any_name);
  EXPECT_EQ(entries(folder.path()), (Names{".old-notes", alive, ".tmp-notes", "kept"}));
  remove_leftovers(folder.path("none"), any_name);
}

TEST_F(FoldersTest, AFolderToBeWrittenLosesWhatAKilledProcessLeftOfIt) {
  const std::string gone = ".tmp-" + std::to_string(test::process_that_is_gone());
  for (const std::string name : {"model", "other"}) {
    fs::create_directory(folder.path(gone + "-" + name));
    folder.file(gone + "-" + name + "/a", "half");
  }
  write_folder(folder.path(".old-model"), {{"a", "maybe of a process that is writing"}});
  prepare_folder_target(folder.path("model/"));
  EXPECT_EQ(entries(folder.path()), (Names{".old-model", gone + "-other"}));
}

TEST_F(FoldersTest, AnOldFolderThatIsAllThereIsAfterAKillIsPutBack) {
  write_folder(folder.path("model"), {{"a", "1"}});
  fs::rename(folder.path("model"), folder.path(".old-model"));
  remove_leftovers(folder.path(), any_name);
  EXPECT_EQ(verify_folder(folder.path("model")), Names{"a"});
  write_folder(folder.path(".old-model"), {{"b", "out of date"}});
  remove_leftovers(folder.path(), any_name);
  EXPECT_EQ(verify_folder(folder.path("model")), Names{"a"});
  EXPECT_EQ(entries(folder.path()), Names{"model"});
}

TEST_F(FoldersTest, AFolderMayBeNamedWithASlashAtItsEnd) {
  for (const char* content : {"1", "2"}) write_folder(folder.path("model/"), {{"a", content}});
  EXPECT_EQ(test::file_bytes(folder.path("model/a")), "2");
  EXPECT_EQ(entries(folder.path()), Names{"model"});
}

TEST_F(FoldersTest, AFolderThatPeopleNameReplacesOnlyAnother) {
  prepare_folder_target(folder.path("none"));
  fs::create_directory(folder.path("empty"));
  prepare_folder_target(folder.path("empty"));
  write_folder(folder.path("model"), {{"a", "1"}});
  prepare_folder_target(folder.path("model/"));
  EXPECT_FAILS(prepare_folder_target(folder.file("notes", "")), ConfigError, "notes: exists and is not a model folder");
  EXPECT_FAILS(prepare_folder_target(folder.path()), ConfigError, "exists and is not a model folder");
  EXPECT_FAILS(prepare_folder_target(""), ConfigError, "is empty");
}

TEST_F(FoldersTest, OnlyOneMayHoldTheLock) {
  {
    const FolderLock first(folder.path());
    EXPECT_FAILS(FolderLock(folder.path()), ConfigError, "another ventris-train is using this folder");
  }
  const FolderLock again(folder.path());
}

TEST_F(FoldersTest, ALockKnowsWhetherItsFolderIsStillThere) {
  const std::string run = folder.path("run");
  fs::create_directory(run);
  const FolderLock lock(run);
  EXPECT_NO_THROW(lock.check_in_place());
  fs::rename(run, folder.path("moved"));
  EXPECT_FAILS(lock.check_in_place(), WriteError, "run: was moved, removed or replaced during the run");
  fs::create_directory(run);
  const FolderLock other(run);
  EXPECT_FAILS(lock.check_in_place(), WriteError, "nothing more is written there");
}

TEST_F(FoldersTest, APipeInABundleIsRefusedAndNotWaitedFor) {
  write_folder(folder.path("m"), {{"a", "1"}});
  fs::remove(folder.path("m/a"));
  ASSERT_EQ(mkfifo(folder.path("m/a").c_str(), 0600), 0);
  EXPECT_FAILS(read_folder(folder.path("m")), ModelError, "m/a: named in MANIFEST but not a regular file");
  fs::remove(folder.path("m/MANIFEST"));
  ASSERT_EQ(mkfifo(folder.path("m/MANIFEST").c_str(), 0600), 0);
  EXPECT_FAILS(read_folder(folder.path("m")), ModelError,
               "MANIFEST: expected a regular file, found something else (a pipe or a device?)");
}

TEST_F(FoldersTest, AFileSystemWithoutLocksIsNotAnotherTrainer) {
  lock_error = ENOLCK;
  EXPECT_FAILS(FolderLock(folder.path()), WriteError, ".lock: cannot be locked: No locks available");
}

TEST(ReadFolder, OfFilesThatAreNotWantedOnlyTheSizeIsChecked) {
  const test::TempFolder folder;
  const std::string path = folder.path("m");
  write_folder(path, {{"a", "1"}, {"huge", "2"}});
  EXPECT_EQ(read_folder(path, {"a", "b"}), (std::vector<NamedBytes>{{"a", "1"}}));
  std::ofstream(path + "/huge") << "3";
  EXPECT_EQ(read_folder(path, {"a"}), (std::vector<NamedBytes>{{"a", "1"}}));
  EXPECT_FAILS(read_folder(path), ModelError, "m/huge: damaged: its checksum");
  std::ofstream(path + "/huge") << "33";
  EXPECT_FAILS(read_folder(path, {"a"}), ModelError, "m/huge: damaged: MANIFEST says 1 bytes, found 2");
}

TEST(ReadFolder, AManifestLongerThanAnyOfOursIsRefusedUnread) {
  const test::TempFolder folder;
  write_folder(folder.path("m"), {{"a", "1"}});
  std::ofstream(folder.path("m/MANIFEST")) << std::string((1 << 20) + 1, 'x');
  EXPECT_FAILS(read_folder(folder.path("m")), ModelError, "MANIFEST: expected at most 1048576 bytes, found 1048577");
}

}  // namespace
}  // namespace ventris::files
