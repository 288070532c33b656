#include "files/replacing.h"

#include <fcntl.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <vector>

#include "core/error.h"
#include "files/placing.h"

namespace ventris::files {
namespace fs = std::filesystem;
namespace {

/// Uses hard links where the file system has them, so that a program that is writing such a file can go on.
void carry(const fs::path& from, const fs::path& to) {
  using enum fs::copy_options;
  std::error_code error;
  fs::copy(from, to, recursive | create_hard_links | copy_symlinks, error);
  if (error) fs::copy(from, to, recursive | copy_symlinks | overwrite_existing, error);
  if (error) {
    fail<WriteError>(from.string(),
                     ": is not a file of the model and cannot be moved to the new folder: ", error.message(),
                     "; move it elsewhere");
  }
}

std::vector<fs::path> foreign_files(const std::string& path, const OwnNames& own) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error)) {
    if (!own.contains(entry->path().filename().string())) found.push_back(entry->path());
  }
  if (error) fail<WriteError>(path, ": cannot be listed before it is replaced: ", error.message());
  return found;
}

/// Puts files of the older folder that are not in `own` into the new one, before it replaces the older one.
void carry_foreign_files(const std::string& path, const std::string& temporary, const OwnNames& own) {
  const std::vector<fs::path> foreign = foreign_files(path, own);
  for (const fs::path& file : foreign) {
    const fs::path place = fs::path(temporary) / file.filename();
    std::error_code ignored;
    if (fs::exists(fs::symlink_status(place, ignored))) {
      fail<WriteError>(file.string(), ": would be replaced, but no MANIFEST there lists it; move it elsewhere");
    }
    carry(file, place);
  }
  if (!foreign.empty()) sync_folder(temporary);
}

/// For file systems that cannot swap two names. If the process is killed between the steps, only the old folder is
/// left, under a name that remove_leftovers recognises.
void replace_in_two_steps(const std::string& temporary, const std::string& path) {
  const std::string old = beside(path, kOldPrefix);
  std::error_code ignored;
  fs::remove_all(old, ignored);  // left over from an earlier kill, and outdated because `path` exists
  if (std::rename(path.c_str(), old.c_str()) != 0) fail<WriteError>(path, ": cannot be replaced: ", reason());
  try {
    put_in_place(temporary, path);
  } catch (const WriteError&) {
    fs::rename(old, path, ignored);
    throw;
  }
  fs::remove_all(old, ignored);
}

}  // namespace

void replace_folder(const std::string& temporary, const std::string& path, const OwnNames& own) {
  std::error_code ignored;
  if (!fs::exists(fs::symlink_status(path, ignored))) return put_in_place(temporary, path);
  if (!fs::is_directory(path, ignored)) {
    fail<WriteError>(path, ": expected a folder to replace, found a file; move it elsewhere");
  }
  carry_foreign_files(path, temporary, own);
  if (renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, path.c_str(), RENAME_EXCHANGE) == 0) {
    fs::remove_all(temporary, ignored);
  } else if (errno == ENOSYS || errno == EINVAL || errno == ENOTSUP) {
    replace_in_two_steps(temporary, path);
  } else {
    fail<WriteError>(path, ": cannot be replaced: ", reason());
  }
}

void remove_own_files(const std::string& path, const OwnNames& own) {
  std::error_code ignored;
  if (fs::is_symlink(path, ignored)) {
    remove_file(path);
    return;
  }
  for (const std::string& name : own) {
    const fs::path file = fs::path(path) / name;
    if (!fs::is_directory(fs::symlink_status(file, ignored))) remove_file(file.string());
  }
  remove_if_empty(path);
}

void remove_file(const std::string& path) {
  std::error_code error;
  fs::remove(path, error);
  if (error) fail<WriteError>(path, ": cannot be removed: ", error.message());
}

void remove_if_empty(const std::string& path) {
  std::error_code error;
  if (fs::is_symlink(path, error) || !fs::is_directory(path, error) || !fs::is_empty(path, error)) return;
  remove_file(path);
}

}  // namespace ventris::files
