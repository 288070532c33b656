#include "faults/power_cut.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <filesystem>
#include <system_error>

// These are calls of the system, not those of faults.cpp, which reports to this file.
namespace ventris::test {
namespace {

int open_folder(int folder, const std::string& path) {
  return static_cast<int>(syscall(SYS_openat, folder, path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0));
}
void rename_at(int from_folder, const std::string& from, int to_folder, const std::string& to, unsigned flags = 0) {
  syscall(SYS_renameat2, from_folder, from.c_str(), to_folder, to.c_str(), flags);
}
void remove_at(int folder, const std::string& name) {
  if (syscall(SYS_unlinkat, folder, name.c_str(), 0) != 0) syscall(SYS_unlinkat, folder, name.c_str(), AT_REMOVEDIR);
}

}  // namespace

UnsyncedChanges::UnsyncedChanges(const std::string& kept) : kept_(open_folder(AT_FDCWD, kept)) {}

UnsyncedChanges::Inode UnsyncedChanges::inode_of(int descriptor) {
  struct stat status{};
  fstat(descriptor, &status);
  return {status.st_dev, status.st_ino};
}

UnsyncedChanges::Place UnsyncedChanges::place_of(int folder, const std::string& path) {
  const size_t slash = path.rfind('/');
  const std::string parent = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  return {open_folder(folder, parent), slash == std::string::npos ? path : path.substr(slash + 1)};
}

void UnsyncedChanges::opened(int descriptor) {
  File& file = files_[inode_of(descriptor)];
  if (file.descriptor < 0) file.descriptor = static_cast<int>(syscall(SYS_dup, descriptor));
}

void UnsyncedChanges::written(int descriptor) {
  const auto file = files_.find(inode_of(descriptor));
  if (file != files_.end()) file->second.unsynced = true;
}

void UnsyncedChanges::synced(int descriptor) {
  struct stat status{};
  fstat(descriptor, &status);
  const Inode inode{status.st_dev, status.st_ino};
  if (S_ISDIR(status.st_mode)) {
    std::erase_if(changes_, [&](const Change& change) { return std::ranges::count(change.folders, inode) > 0; });
  } else if (const auto file = files_.find(inode); file != files_.end()) {
    file->second.synced_size = status.st_size;
    file->second.unsynced = false;
  }
}

void UnsyncedChanges::add(const std::vector<Place>& places, std::function<void()> undo) {
  Change change{{}, std::move(undo)};
  for (const Place& place : places) change.folders.push_back(inode_of(place.folder));
  changes_.push_back(std::move(change));
}

void UnsyncedChanges::before_removal(int folder, const std::string& path) {
  restore_ = nullptr;
  const Place place = place_of(folder, path);
  restored_places_ = {place};
  struct stat status{};
  if (fstatat(place.folder, place.name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return;
  if (S_ISDIR(status.st_mode)) return;
  if (S_ISLNK(status.st_mode)) {
    std::array<char, PATH_MAX> target{};
    const ssize_t size = readlinkat(place.folder, place.name.c_str(), target.data(), target.size());
    restore_ = [place, to = std::string(target.data(), static_cast<size_t>(std::max<ssize_t>(size, 0)))] {
      syscall(SYS_symlinkat, to.c_str(), place.folder, place.name.c_str());
    };
  } else {
    const std::string name = std::to_string(++last_kept_);
    syscall(SYS_linkat, place.folder, place.name.c_str(), kept_, name.c_str(), 0);
    restore_ = [this, place, name] { rename_at(kept_, name, place.folder, place.name); };
  }
}

bool UnsyncedChanges::remove_folder(int folder, const std::string& path) {
  const Place place = place_of(folder, path);
  std::error_code error;
  const bool empty =
      std::filesystem::is_empty("/proc/self/fd/" + std::to_string(place.folder) + "/" + place.name, error);
  if (error || !empty) return false;
  const std::string name = std::to_string(++last_kept_);
  rename_at(place.folder, place.name, kept_, name);
  add({place}, [this, place, name] { rename_at(kept_, name, place.folder, place.name); });
  return true;
}

void UnsyncedChanges::removed() {
  if (restore_) add(restored_places_, std::exchange(restore_, nullptr));
}

void UnsyncedChanges::added(int folder, const std::string& path) {
  const Place place = place_of(folder, path);
  add({place}, [place] { remove_at(place.folder, place.name); });
}

void UnsyncedChanges::swapped(int from_folder, const std::string& from, int to_folder, const std::string& to) {
  const Place first = place_of(from_folder, from), second = place_of(to_folder, to);
  add({first, second},
      [first, second] { rename_at(first.folder, first.name, second.folder, second.name, RENAME_EXCHANGE); });
}

void UnsyncedChanges::renamed(int from_folder, const std::string& from, int to_folder, const std::string& to) {
  const Place first = place_of(from_folder, from), second = place_of(to_folder, to);
  add({first, second}, [first, second, restore = std::exchange(restore_, nullptr)] {
    rename_at(second.folder, second.name, first.folder, first.name);
    if (restore) restore();
  });
}

void UnsyncedChanges::lose(double share_of_names) {
  for (const auto& [inode, file] : files_) {
    if (file.unsynced && syscall(SYS_ftruncate, file.descriptor, file.synced_size) != 0) _exit(1);
  }
  const auto kept = static_cast<size_t>(static_cast<double>(changes_.size()) * share_of_names);
  for (size_t i = changes_.size(); i > kept; --i) changes_[i - 1].undo();
  changes_.resize(kept);
}

}  // namespace ventris::test
