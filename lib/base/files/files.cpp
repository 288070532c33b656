#include "files/files.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <filesystem>
#include <utility>

#include "core/error.h"
#include "core/process.h"
#include "files/gzip_packer.h"
#include "files/partial.h"
#include "files/placing.h"

namespace ventris::files {
using core::stop_signal;
using core::throw_if_stopped;

namespace fs = std::filesystem;
namespace {

constexpr size_t kBufferBytes = 1 << 16;

/// Opens a file without a name in the folder of `name`; it disappears with the process, however that ends. -1 if the
/// file system has no such files, or if `name` is taken or cannot be used.
int open_nameless(const std::string& name, mode_t mode) {
  if (access(name.c_str(), F_OK) == 0 || errno != ENOENT) return -1;
  if (access("/proc/self/fd", X_OK) != 0) return -1;  // where give_name finds it
  return open(parent_of(name).c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, mode);
}

/// Whether `name` is the open file's.
bool is_named(int descriptor, const std::string& name) {
  struct stat open_file{}, named{};
  return fstat(descriptor, &open_file) == 0 && stat(name.c_str(), &named) == 0 && open_file.st_dev == named.st_dev &&
         open_file.st_ino == named.st_ino;
}

/// Gives the open file its name, if it has none. If this returns false, errno has the reason.
bool give_name(int descriptor, const std::string& name) {
  if (is_named(descriptor, name)) return true;
  const std::string open_file = "/proc/self/fd/" + std::to_string(descriptor);
  const auto link = [&] { return linkat(AT_FDCWD, open_file.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0; };
  if (link()) return true;
  // The name may be left over from a process that is gone and had the same number.
  return errno == EEXIST && unlink(name.c_str()) == 0 && link();
}

/// Gives the open file one more name, if that is free. If this returns false, errno has the reason.
bool give_new_name(int descriptor, const std::string& temporary, const std::string& name) {
  const std::string open_file = "/proc/self/fd/" + std::to_string(descriptor);
  if (linkat(AT_FDCWD, open_file.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) return true;
  const int problem = errno;
  if (problem == EEXIST || !is_named(descriptor, temporary)) {
    errno = problem;
    return false;
  }
  // A file system without links: rename the temporary name instead.
  return renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, name.c_str(), RENAME_NOREPLACE) == 0;
}

/// Waits until a pipe or a terminal takes some bytes. False if it takes none for a second after a stop signal.
bool wait_for_reader(int descriptor) {
  constexpr int kMilliseconds = 100, kMostAfterSignal = 10;
  for (int after_signal = 0; after_signal < kMostAfterSignal;) {
    pollfd place{descriptor, POLLOUT, 0};
    const int ready = poll(&place, 1, kMilliseconds);
    if (ready > 0 || (ready < 0 && errno != EINTR)) return true;  // after an error, writing says what it is
    if (stop_signal() != 0) ++after_signal;
  }
  return false;
}

bool is_regular(int descriptor) {
  struct stat status{};
  return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

}  // namespace

uint32_t crc32(std::string_view bytes, uint32_t so_far) {
  if (bytes.empty()) return so_far;  // zlib takes a null pointer as the wish for a first value
  return static_cast<uint32_t>(::crc32_z(so_far, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}

/// Opens a file. A pipe can make it wait for the other side. Negative: errno says why; throws Interrupted after a stop
/// signal.
int open_waiting(const std::string& path, int flags) {
  while (true) {
    const int descriptor = open(path.c_str(), flags | O_CLOEXEC);
    if (descriptor >= 0 || errno != EINTR) return descriptor;
    throw_if_stopped(path);
  }
}

void check_readable(const std::string& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) fail<DataError>(path, ": is a folder, expected a file");
  const int descriptor = open_waiting(path, O_RDONLY);
  if (descriptor < 0) fail<DataError>(path, ": cannot be read: ", reason());
  close(descriptor);
}

std::string read_plain_file(const std::string& path) {
  std::error_code error;
  if (fs::exists(path, error) && !fs::is_regular_file(path, error) && !fs::is_directory(path, error)) {
    fail<DataError>(path, ": expected a regular file, found something else (a pipe or a device?)");
  }
  return read_file(path);
}

std::string read_file(const std::string& path, size_t most) {
  std::error_code error;
  if (fs::is_directory(path, error)) fail<DataError>(path, ": is a folder, expected a file");
  const int descriptor = open_waiting(path, O_RDONLY);
  if (descriptor < 0) fail<DataError>(path, ": cannot be read: ", reason());
  struct stat status{};
  const bool sized = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  std::string bytes(sized ? std::min(static_cast<size_t>(status.st_size), most) + 1 : 0, '\0');
  size_t filled = 0;
  while (true) {
    if (filled > most) {
      close(descriptor);
      fail<DataError>(path, ": expected at most ", most, " bytes, found more");
    }
    if (!sized && stop_signal() != 0) {
      close(descriptor);
      throw_if_stopped(path);
    }
    if (filled == bytes.size()) bytes.resize(filled + kBufferBytes);
    const ssize_t got = ::read(descriptor, bytes.data() + filled, bytes.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      const std::string problem = got < 0 ? reason() : "";
      close(descriptor);
      if (got < 0) fail<DataError>(path, ": cannot be read: ", problem);
      bytes.resize(filled);
      return bytes;
    }
    filled += static_cast<size_t>(got);
  }
}

OutputFile::OutputFile(std::string path, Packing packing, Naming naming) : path_(std::move(path)) {
  if (packing == Packing::kBySuffix && path_.ends_with(kGzipSuffix)) packer_ = std::make_unique<GzipPacker>();
  if (path_ == "/dev/stdout") path_ = "-";
  if (path_ == "-") {
    descriptor_ = STDOUT_FILENO;
    return;
  }
  target_ = follow_links(path_);
  struct stat old{};
  const bool exists = stat(target_.c_str(), &old) == 0;
  if (!exists && errno != ENOENT) fail<WriteError>(path_, ": cannot be written: ", reason());
  if (exists && S_ISDIR(old.st_mode)) fail<WriteError>(path_, ": is a folder, expected a file name to write to");
  if (exists && (!S_ISREG(old.st_mode) || in_proc(target_))) {  // a device, a pipe, an open file: written as it is
    descriptor_ = open_waiting(target_, O_WRONLY | O_APPEND);
  } else {
    if (exists && faccessat(AT_FDCWD, target_.c_str(), W_OK, AT_EACCESS) != 0) {
      fail<WriteError>(path_, ": cannot be replaced: ", reason());
    }
    const mode_t mode = exists ? old.st_mode & 07777 : 0666;
    open_new(mode, naming);
    if (exists && descriptor_ >= 0) {  // some file systems have no owners and modes
      if (geteuid() == 0) static_cast<void>(fchown(descriptor_, old.st_uid, old.st_gid) == 0);
      fchmod(descriptor_, mode);  // what the umask took
    }
  }
  if (descriptor_ < 0) fail<WriteError>(path_, ": cannot be written: ", reason());
}

void OutputFile::open_new(mode_t mode, Naming naming) {
  if (naming == Naming::kPartial) {
    NamedFile file = create_partial(target_, mode);
    descriptor_ = file.descriptor;
    if (descriptor_ >= 0) temporary_ = partial_ = std::move(file.name);
  }
  if (descriptor_ >= 0) return;
  temporary_ = temporary_name(target_);
  descriptor_ = open_nameless(temporary_, mode);
  if (descriptor_ < 0) descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0 && descriptor_ != STDOUT_FILENO) close(descriptor_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void OutputFile::write_all(std::string_view bytes) {
  if (given_up_) return;
  const bool may_block = is_read_at_once() && !is_regular(descriptor_);
  const std::string name = path_ == "-" ? "standard output" : path_;
  while (!bytes.empty()) {
    if (may_block && !wait_for_reader(descriptor_)) {
      given_up_ = true;
      throw Interrupted(stop_signal(), name + ": stopped by a signal, and its reader takes nothing");
    }
    const size_t most =
        may_block ? std::min<size_t>(bytes.size(), PIPE_BUF) : bytes.size();  // which a pipe takes without blocking
    const ssize_t written = ::write(descriptor_, bytes.data(), most);
    if (written < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK)) continue;
    if (written < 0 && errno == EPIPE) fail<PipeClosed>(name, ": its reader has closed it");
    if (written < 0) fail<WriteError>(name, ": cannot be written: ", reason());
    bytes.remove_prefix(static_cast<size_t>(written));
  }
}

void OutputFile::write(std::string_view bytes) {
  empty_ = empty_ && bytes.empty();
  buffer_.append(bytes);
  // Always blocks of this size: the packed bytes must not depend on how the text was divided into calls.
  size_t done = 0;
  for (; buffer_.size() - done >= kBufferBytes; done += kBufferBytes) {
    const std::string_view block = std::string_view(buffer_).substr(done, kBufferBytes);
    if (packer_) {
      write_all(packer_->pack(block, GzipPacker::Then::kMore));
    } else {
      write_all(block);
    }
  }
  buffer_.erase(0, done);
}

void OutputFile::flush() {
  const std::string pending = std::exchange(buffer_, {});
  if (!pending.empty()) write_all(packer_ ? packer_->pack(pending, GzipPacker::Then::kFlush) : pending);
}

void OutputFile::finish() {
  const std::string pending = std::exchange(buffer_, {});
  write_all(packer_ ? packer_->pack(pending, GzipPacker::Then::kEnd) : pending);
}

std::string OutputFile::keep_partial() {
  if (empty_) return "";
  finish();
  if (temporary_.empty()) return "";
  if (fsync(descriptor_) != 0) fail<WriteError>(path_, ": cannot be written: ", reason());
  std::string name = name_partial();
  sync_folder(parent_of(target_));
  return name;
}

/// Gives the file its partial name, if it has another one or none.
std::string OutputFile::name_partial() {
  if (!partial_.empty()) {
    temporary_.clear();
    return partial_;
  }
  for (int number = 1; number <= kMostPartial; ++number) {
    std::string name = partial_name(target_, number);
    if (give_new_name(descriptor_, temporary_, name)) return name;
    if (errno != EEXIST) fail<WriteError>(name, ": cannot be written: ", reason());
  }
  fail<WriteError>(partial_name(target_, kMostPartial), ": exists, and so do all lower numbers; remove some of them");
}

std::string OutputFile::leave_partial() {
  struct stat status{};
  const int found = partial_.empty() ? fstat(descriptor_, &status) : stat(partial_.c_str(), &status);
  if (temporary_.empty() || found != 0 || status.st_size == 0) return "";
  try {
    return name_partial();
  } catch (const WriteError&) {
    return "";
  }
}

void OutputFile::commit() {
  finish();
  if (given_up_) throw Interrupted(stop_signal(), path_ + ": stopped by a signal before all was written");
  if (path_ == "-") return;
  if (!temporary_.empty()) {
    // Sync again with the name: some file systems do not log files without a name.
    const bool whole = fsync(descriptor_) == 0 && give_name(descriptor_, temporary_) && fsync(descriptor_) == 0;
    if (!whole) fail<WriteError>(path_, ": cannot be written: ", reason());
  }
  if (close(std::exchange(descriptor_, -1)) != 0) fail<WriteError>(path_, ": cannot be written: ", reason());
  if (temporary_.empty()) return;
  put_in_place(temporary_, target_);
  temporary_.clear();
  sync_folder(parent_of(target_));
}

void write_file(const std::string& path, std::string_view bytes) {
  OutputFile file(path);
  file.write(bytes);
  file.commit();
}

}  // namespace ventris::files
