#include "faults/faults.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <optional>

#include "faults/power_cut.h"

namespace {

using ventris::test::Fault;
using ventris::test::UnsyncedChanges;

Fault planned = Fault::kNone;
int64_t planned_at = 0;
int64_t calls = 0;
bool swaps_forbidden = false;
uint64_t free_space = uint64_t{1} << 40;
std::optional<UnsyncedChanges> unsynced;
double share_of_names_kept = 0;

enum class Kind { kTakesSpace, kFreesSpace, kLooks };  // what a call does to the disk

/// The error this call is to fail with; 0 = none.
int next_error(Kind kind) {
  ++calls;
  const bool now = calls == planned_at, since = calls >= planned_at;
  if (planned == Fault::kPowerCut && now) ventris::test::lose_unsynced_changes();
  if ((planned == Fault::kKill || planned == Fault::kPowerCut) && now) kill(getpid(), SIGKILL);
  if (planned == Fault::kFullDisk && since && kind == Kind::kTakesSpace) return ENOSPC;
  if (planned == Fault::kReadOnly && since && kind != Kind::kLooks) return EROFS;
  if (planned == Fault::kBadBlock && now) return EIO;
  return 0;
}

template <typename... Arguments>
long call_unless_faulty(Kind kind, long number, Arguments... arguments) {
  if (const int error = next_error(kind); error != 0) {
    errno = error;
    return -1;
  }
  return syscall(number, arguments...);
}

int open_at(int folder, const char* path, int flags, mode_t mode) {
  const bool makes = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
  const Kind kind = makes ? Kind::kTakesSpace : Kind::kLooks;
  const bool is_new = (flags & O_CREAT) != 0 && faccessat(folder, path, F_OK, AT_SYMLINK_NOFOLLOW) != 0;
  const auto file = static_cast<int>(call_unless_faulty(kind, SYS_openat, folder, path, flags, mode));
  if (unsynced && file >= 0 && (flags & O_ACCMODE) != O_RDONLY) unsynced->opened(file);
  if (unsynced && file >= 0 && is_new) unsynced->added(folder, path);
  return file;
}

int rename_at(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
  if (unsynced) unsynced->before_removal(to_folder, to);
  const auto result =
      static_cast<int>(call_unless_faulty(Kind::kTakesSpace, SYS_renameat2, from_folder, from, to_folder, to, flags));
  if (unsynced && result == 0) {
    const bool swap = (flags & RENAME_EXCHANGE) != 0;
    swap ? unsynced->swapped(from_folder, from, to_folder, to) : unsynced->renamed(from_folder, from, to_folder, to);
  }
  return result;
}

int unlink_at(int folder, const char* path, int flags) {
  if (unsynced && flags == AT_REMOVEDIR) {
    if (next_error(Kind::kFreesSpace) == 0 && unsynced->remove_folder(folder, path)) return 0;
    return static_cast<int>(syscall(SYS_unlinkat, folder, path, flags));
  }
  if (unsynced) unsynced->before_removal(folder, path);
  const auto result = static_cast<int>(call_unless_faulty(Kind::kFreesSpace, SYS_unlinkat, folder, path, flags));
  if (unsynced && result == 0) unsynced->removed();
  return result;
}

/// After a call that gives something a name.
int named(long result, int folder, const char* path) {
  if (unsynced && result == 0) unsynced->added(folder, path);
  return static_cast<int>(result);
}

mode_t mode_of(int flags, va_list arguments) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
}

}  // namespace

namespace ventris::test {

void plan_fault(Fault fault, int64_t at) {
  planned = fault;
  planned_at = at;
  calls = 0;
}

void remember_unsynced_changes(const std::string& kept, double share_of_names) {
  unsynced.emplace(kept);
  share_of_names_kept = share_of_names;
}

void lose_unsynced_changes() {
  if (unsynced) unsynced->lose(share_of_names_kept);
}

void forbid_swaps(bool forbidden) { swaps_forbidden = forbidden; }

void pretend_free_space(uint64_t bytes) { free_space = bytes; }

int64_t calls_so_far() { return calls; }

}  // namespace ventris::test

// Taken by the linker in place of the C library's.
extern "C" {

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_at(AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_at(folder, path, flags, mode);
}

ssize_t write(int descriptor, const void* bytes, size_t size) {
  if (planned == Fault::kShortWrite && calls + 1 >= planned_at) size = std::max<size_t>(size / 2, 1);
  const ssize_t result = call_unless_faulty(Kind::kTakesSpace, SYS_write, descriptor, bytes, size);
  if (unsynced && result > 0) unsynced->written(descriptor);
  return result;
}

int fsync(int descriptor) {  // what a killed process wrote is not lost; a real one would only take time
  const int error = next_error(Kind::kTakesSpace);
  if (unsynced && error == 0) unsynced->synced(descriptor);
  if (error == 0) return 0;
  errno = error;
  return -1;
}

int close(int descriptor) {  // which frees the descriptor even if it fails
  const int error = next_error(Kind::kLooks);
  const long result = syscall(SYS_close, descriptor);
  if (error == 0) return static_cast<int>(result);
  errno = error;
  return -1;
}

int rename(const char* from, const char* to) noexcept { return rename_at(AT_FDCWD, from, AT_FDCWD, to, 0); }

int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) noexcept {
  if (!swaps_forbidden) return rename_at(from_folder, from, to_folder, to, flags);
  errno = EINVAL;
  return -1;
}

int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) noexcept {
  return named(call_unless_faulty(Kind::kTakesSpace, SYS_linkat, from_folder, from, to_folder, to, flags), to_folder,
               to);
}

int mkdir(const char* path, mode_t mode) noexcept {
  return named(call_unless_faulty(Kind::kTakesSpace, SYS_mkdirat, AT_FDCWD, path, mode), AT_FDCWD, path);
}

int symlink(const char* target, const char* path) noexcept {
  return named(call_unless_faulty(Kind::kTakesSpace, SYS_symlinkat, target, AT_FDCWD, path), AT_FDCWD, path);
}

int unlink(const char* path) noexcept { return unlink_at(AT_FDCWD, path, 0); }

int unlinkat(int folder, const char* path, int flags) noexcept { return unlink_at(folder, path, flags); }

int rmdir(const char* path) noexcept { return unlink_at(AT_FDCWD, path, AT_REMOVEDIR); }

int remove(const char* path) noexcept {
  const int result = unlink_at(AT_FDCWD, path, 0);
  return result != 0 && errno == EISDIR ? unlink_at(AT_FDCWD, path, AT_REMOVEDIR) : result;
}

int statvfs(const char*, struct statvfs* status) noexcept {
  *status = {};
  status->f_frsize = 1;
  status->f_blocks = status->f_bfree = status->f_bavail = free_space;
  return 0;
}

}  // extern "C"
