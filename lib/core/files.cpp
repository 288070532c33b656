#include "core/files.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <poll.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <set>
#include <sstream>
#include <utility>

#include "core/error.h"

namespace ventris::core {
namespace fs = std::filesystem;
namespace {

constexpr size_t kBufferBytes = 1 << 16;
constexpr const char* kTemporaryPrefix = ".tmp-";
constexpr const char* kOldPrefix = ".old-";
constexpr int kMostLinks = 40;  // as many as the kernel follows

std::string reason() { return std::strerror(errno); }

std::string parent_of(const std::string& path) {
  const std::string parent = fs::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

/// The name beside `path` that has `prefix` before it.
std::string beside(const std::string& path, const std::string& prefix) {
  const fs::path full(path);
  return (full.parent_path() / (prefix + full.filename().string())).string();
}

std::string temporary_name(const std::string& path) {
  return beside(path, kTemporaryPrefix + std::to_string(getpid()) + "-");
}

/// Whether it names what some process has open (/dev/fd/3 leads there), which no rename can replace.
bool in_proc(const std::string& path) {
  struct statfs system{};
  return statfs(parent_of(path).c_str(), &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}

/// Where a symbolic link leads in the end: a rename onto the link would replace the link itself.
std::string follow_links(std::string path) {
  std::error_code error;
  for (int links = 0; links < kMostLinks && !in_proc(path); ++links) {
    const fs::path target = fs::read_symlink(path, error);
    if (error) break;
    path = (fs::path(path).parent_path() / target).string();
  }
  return path;
}

void sync_folder(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) fail<WriteError>(path, ": cannot open the folder: ", reason());
  const int result = fsync(descriptor);
  close(descriptor);
  if (result != 0) fail<WriteError>(path, ": cannot sync the folder: ", reason());
}

void check_space(const std::string& folder, size_t bytes) {
  std::error_code error;
  const auto space = fs::space(folder, error);
  if (!error && space.available < bytes + bytes / 10) {
    fail<WriteError>(folder, ": not enough free space: ", bytes + bytes / 10, " bytes needed, ", space.available,
                     " free; make room, or use a folder on another disk");
  }
}

void put_in_place(const std::string& from, const std::string& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0) fail<WriteError>(to, ": cannot be put in place: ", reason());
}

/// For file systems that cannot swap two names. Killed between the steps, the old folder is all there is: its name is
/// one that remove_leftovers knows.
void replace_in_two_steps(const std::string& temporary, const std::string& path) {
  const std::string old = beside(path, kOldPrefix);
  std::error_code ignored;
  fs::remove_all(old, ignored);  // of an earlier kill, and out of date since `path` is there
  if (std::rename(path.c_str(), old.c_str()) != 0) fail<WriteError>(path, ": cannot be replaced: ", reason());
  try {
    put_in_place(temporary, path);
  } catch (const WriteError&) {
    fs::rename(old, path, ignored);
    throw;
  }
  fs::remove_all(old, ignored);
}

/// Puts `temporary` in the place of `path`; an existing folder is swapped out and removed.
void replace_folder(const std::string& temporary, const std::string& path) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) {
    put_in_place(temporary, path);
  } else if (renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, path.c_str(), RENAME_EXCHANGE) == 0) {
    fs::remove_all(temporary, ignored);
  } else if (errno == ENOSYS || errno == EINVAL || errno == ENOTSUP) {
    replace_in_two_steps(temporary, path);
  } else {
    fail<WriteError>(path, ": cannot be replaced: ", reason());
  }
}

std::string manifest_line(size_t size, uint32_t checksum, const std::string& name) {
  std::ostringstream line;
  line << size << ' ' << std::hex << checksum << ' ' << name;
  return line.str();
}

struct ManifestEntry {
  size_t size = 0;
  uint32_t checksum = 0;
  std::string name;
};

/// A file of a model, so that what stops its reading is a fault of the model.
std::string read_model_file(const std::string& path) {
  try {
    return read_file(path);
  } catch (const DataError& error) {
    fail<UnreadableError>(error.what());
  }
}

/// For messages: a NUL would end them.
std::string without_controls(std::string text) {
  for (char& letter : text) letter = static_cast<unsigned char>(letter) < ' ' || letter == '\x7f' ? '?' : letter;
  return text;
}

/// What MANIFEST lists. A line that we would have written otherwise is damage, even where it means the same.
std::vector<ManifestEntry> read_manifest(const std::string& path) {
  std::istringstream manifest(read_model_file(path));
  std::vector<ManifestEntry> entries;
  std::set<std::string> names;
  bool ended = false;
  for (std::string line; std::getline(manifest, line);) {
    if (ended) fail<ModelError>(path, ": text after END; the file is damaged");
    if (line == "END" && !manifest.eof()) {
      ended = true;
      continue;
    }
    ManifestEntry entry;
    std::istringstream fields(line);
    if (!(fields >> entry.size >> std::hex >> entry.checksum >> entry.name) ||
        entry.name.find('/') != std::string::npos || entry.name[0] == '.' ||
        without_controls(entry.name) != entry.name || line != manifest_line(entry.size, entry.checksum, entry.name) ||
        !names.insert(entry.name).second) {
      fail<ModelError>(path, ": bad line '", without_controls(line.substr(0, 80)), "'; the file is damaged");
    }
    entries.push_back(std::move(entry));
  }
  if (!ended) fail<ModelError>(path, ": does not end with END; the file is truncated");
  return entries;
}

/// Hands out the name and the checked content of each file that the folder's MANIFEST names.
template <typename Visit>
void visit_folder(const std::string& path, const Visit& visit) {
  const auto full = [&](const std::string& name) { return (fs::path(path) / name).string(); };
  std::error_code error;
  if (!fs::is_directory(path, error)) fail<ModelError>(path, ": not a folder; expected a model or checkpoint folder");
  if (!fs::exists(full("MANIFEST"), error)) {
    fail<ModelError>(path, ": has no MANIFEST; expected a complete model or checkpoint folder (an interrupted copy?)");
  }
  for (const ManifestEntry& entry : read_manifest(full("MANIFEST"))) {
    const std::string file = full(entry.name);
    if (!fs::is_regular_file(file, error)) fail<ModelError>(file, ": named in MANIFEST but missing");
    std::string bytes = read_model_file(file);
    if (bytes.size() != entry.size) {
      fail<ModelError>(file, ": damaged: expected ", entry.size, " bytes by MANIFEST, found ", bytes.size());
    }
    if (crc32(bytes) != entry.checksum) fail<ModelError>(file, ": damaged: its checksum differs from MANIFEST's");
    visit(entry.name, std::move(bytes));
  }
}

/// A file that is to be called `name` and has none yet: gone with the process, however that ends. -1 where there is no
/// such thing, or where the name is taken or cannot be had.
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

/// Gives the open file its name, if it has none. False says errno why not.
bool give_name(int descriptor, const std::string& name) {
  if (is_named(descriptor, name)) return true;
  const std::string open_file = "/proc/self/fd/" + std::to_string(descriptor);
  const auto link = [&] { return linkat(AT_FDCWD, open_file.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0; };
  if (link()) return true;
  // Where process numbers are shared, the name may be left of one that is gone.
  return errno == EEXIST && unlink(name.c_str()) == 0 && link();
}

/// Of a pipe that does not block.
void wait_for_reader(int descriptor) {
  pollfd place{descriptor, POLLOUT, 0};
  poll(&place, 1, -1);
}

/// Whether a file or folder is what OutputFile or write_folder of a process that is gone was writing.
bool is_leftover(const std::string& name) {
  if (!name.starts_with(kTemporaryPrefix)) return false;
  const char* first = name.c_str() + std::strlen(kTemporaryPrefix);
  pid_t writer = 0;
  const auto [end, error] = std::from_chars(first, name.c_str() + name.size(), writer);
  if (error != std::errc() || *end != '-' || writer <= 0) return false;
  return writer == getpid() || (kill(writer, 0) != 0 && errno == ESRCH);
}

}  // namespace

uint32_t crc32(std::string_view bytes, uint32_t so_far) {
  if (bytes.empty()) return so_far;  // zlib takes a null pointer as the wish for a first value
  return static_cast<uint32_t>(::crc32_z(so_far, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}

void check_readable(const std::string& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) fail<DataError>(path, ": is a folder, expected a file");
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) fail<DataError>(path, ": cannot be read: ", reason());
  close(descriptor);
}

std::string read_file(const std::string& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) fail<DataError>(path, ": is a folder, expected a file");
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) fail<DataError>(path, ": cannot be read: ", reason());
  struct stat status{};
  const bool sized = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  std::string bytes(sized ? static_cast<size_t>(status.st_size) + 1 : 0, '\0');
  size_t filled = 0;
  while (true) {
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

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
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
    descriptor_ = open(target_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  } else {
    const mode_t mode = exists ? old.st_mode & 07777 : 0666;
    temporary_ = temporary_name(target_);
    descriptor_ = open_nameless(temporary_, mode);
    if (descriptor_ < 0) descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
    if (exists && descriptor_ >= 0) fchmod(descriptor_, mode);  // what the umask took; some file systems have no modes
  }
  if (descriptor_ < 0) fail<WriteError>(path_, ": cannot be written: ", reason());
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0 && descriptor_ != STDOUT_FILENO) close(descriptor_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void OutputFile::write_all(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      wait_for_reader(descriptor_);
      continue;
    }
    if (written < 0) fail<WriteError>(path_ == "-" ? "standard output" : path_, ": cannot be written: ", reason());
    bytes.remove_prefix(static_cast<size_t>(written));
  }
}

void OutputFile::write(std::string_view bytes) {
  buffer_.append(bytes);
  if (buffer_.size() >= kBufferBytes) flush();
}

void OutputFile::flush() {
  const std::string pending = std::move(buffer_);
  buffer_.clear();
  write_all(pending);
}

void OutputFile::commit() {
  flush();
  if (path_ == "-") return;
  if (!temporary_.empty()) {
    // Once more with the name: some file systems keep no log of a file that has none.
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

void check_folder_target(const std::string& path) {
  std::error_code error;
  if (path.empty()) fail<ConfigError>("the folder to write has no name");
  if (!fs::exists(path, error) || fs::exists(fs::path(path) / "MANIFEST", error)) return;
  if (fs::is_directory(path, error) && fs::is_empty(path, error)) return;
  fail<ConfigError>(path, ": is there and is no model folder, which alone would be replaced; give another name");
}

void write_folder(const std::string& given, const std::vector<NamedBytes>& files) {
  const std::string path = given.substr(0, given.find_last_not_of('/') + 1);
  const std::string parent = parent_of(path), temporary = temporary_name(path);
  size_t total = 0;
  std::ostringstream manifest;
  for (const auto& [name, bytes] : files) {
    total += bytes.size();
    manifest << manifest_line(bytes.size(), crc32(bytes), name) << '\n';
  }
  manifest << "END\n";
  std::error_code error;
  fs::create_directories(parent, error);
  if (error) fail<WriteError>(parent, ": cannot make the folder: ", error.message());
  check_space(parent, total);
  fs::remove_all(temporary, error);
  try {
    if (!fs::create_directory(temporary, error)) fail<WriteError>(path, ": cannot be written: ", error.message());
    for (const auto& [name, bytes] : files) write_file((fs::path(temporary) / name).string(), bytes);
    write_file((fs::path(temporary) / "MANIFEST").string(), manifest.str());
    replace_folder(temporary, path);
  } catch (...) {
    fs::remove_all(temporary, error);
    throw;
  }
  sync_folder(parent);
}

std::vector<NamedBytes> read_folder(const std::string& path) {
  std::vector<NamedBytes> files;
  visit_folder(path,
               [&](std::string name, std::string bytes) { files.emplace_back(std::move(name), std::move(bytes)); });
  return files;
}

std::vector<std::string> verify_folder(const std::string& path) {
  std::vector<std::string> names;
  visit_folder(path, [&](std::string name, const std::string&) { names.push_back(std::move(name)); });
  return names;
}

void remove_leftovers(const std::string& parent) {
  std::error_code error;
  std::vector<fs::path> old;
  for (const auto& entry : fs::directory_iterator(parent, error)) {
    const std::string name = entry.path().filename().string();
    if (is_leftover(name)) fs::remove_all(entry.path(), error);
    if (name.starts_with(kOldPrefix) && fs::exists(entry.path() / "MANIFEST", error)) old.push_back(entry.path());
  }
  for (const fs::path& folder : old) {
    const fs::path place = fs::path(parent) / folder.filename().string().substr(std::strlen(kOldPrefix));
    if (fs::exists(place, error)) {
      fs::remove_all(folder, error);
    } else {
      fs::rename(folder, place, error);
    }
  }
}

FolderLock::FolderLock(const std::string& folder) {
  const std::string path = (fs::path(folder) / ".lock").string();
  descriptor_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail<WriteError>(path, ": cannot be written: ", reason());
  if (flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
  const int error = errno;
  close(descriptor_);
  if (error != EWOULDBLOCK) fail<WriteError>(path, ": cannot be locked: ", std::strerror(error));
  fail<ConfigError>(folder, ": another ventris-train is working in this folder; wait for it or choose another --model");
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

}  // namespace ventris::core
