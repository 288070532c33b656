#include "files/partial.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <utility>

#include "core/error.h"
#include "files/gzip_packer.h"
#include "files/placing.h"

namespace ventris::files {
namespace {

constexpr size_t kCopiedBytes = 1 << 16;

/// Reads a plain or gzipped file block by block; zlib tells them apart by their first bytes.
class BlockReader {
 public:
  explicit BlockReader(const std::string& path) : file_(gzopen(path.c_str(), "rb")) {
    if (file_ == nullptr) fail<DataError>(path, ": cannot be read: ", reason());
  }
  ~BlockReader() { gzclose(file_); }
  BlockReader(const BlockReader&) = delete;
  BlockReader& operator=(const BlockReader&) = delete;

  /// The next bytes; empty at the end, and where the file is cut off or damaged.
  std::string_view next() {
    const int got = gzread(file_, block_.data(), static_cast<unsigned>(block_.size()));
    return got > 0 ? std::string_view(block_.data(), static_cast<size_t>(got)) : std::string_view();
  }

 private:
  gzFile file_;
  std::string block_ = std::string(kCopiedBytes, '\0');
};

/// Whether `name` is that of the open file.
bool is_name_of(const std::string& name, int descriptor) {
  struct stat open_file{}, named{};
  return fstat(descriptor, &open_file) == 0 && lstat(name.c_str(), &named) == 0 && open_file.st_dev == named.st_dev &&
         open_file.st_ino == named.st_ino;
}

/// Locks a new file. Others may hold its lock for a moment, in is_locked() and remove_abandoned(). Returns false, with
/// the file closed, if it was removed before it was locked.
bool lock_new(NamedFile& file) {
  constexpr int kTries = 1000;  // on a busy machine, whoever holds the lock may have to wait for a core
  for (int tries = 0; tries < kTries && flock(file.descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK; ++tries)
    usleep(1000);
  if (is_name_of(file.name, file.descriptor)) return true;
  close(std::exchange(file.descriptor, -1));
  return false;
}

}  // namespace

std::string partial_name(const std::string& path, int number) {
  const bool packed = path.ends_with(kGzipSuffix);
  std::string name = packed ? path.substr(0, path.size() - kGzipSuffix.size()) : path;
  name += ".partial";
  if (number > 1) name += "-" + std::to_string(number);
  return packed ? name.append(kGzipSuffix) : name;
}

NamedFile create_partial(const std::string& path, mode_t mode) {
  NamedFile file;
  for (int number = 1; number <= kMostPartial; ++number) {
    file.name = partial_name(path, number);
    file.descriptor = open(file.name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (file.descriptor < 0 && errno != EEXIST) return file;
    if (file.descriptor >= 0 && lock_new(file)) return file;
  }
  return file;
}

bool is_locked(const std::string& partial) {
  const int descriptor = open(partial.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool locked = flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  close(descriptor);
  return locked;
}

bool remove_abandoned(const std::string& partial) {
  const int descriptor = open(partial.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0) return errno == ENOENT;
  struct stat status{};
  const bool own = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid();
  // The lock is held until the name is gone, so that nobody begins to write the file in between.
  const bool removed = own && flock(descriptor, LOCK_EX | LOCK_NB) == 0 && is_name_of(partial, descriptor) &&
                       unlink(partial.c_str()) == 0;
  close(descriptor);
  return removed;
}

std::vector<std::string> partial_files(const std::string& path) {
  const std::string target = follow_links(path);
  std::vector<std::string> found;
  for (int number = 1; number <= kMostPartial; ++number) {
    std::string name = partial_name(target, number);
    struct stat status{};
    if (stat(name.c_str(), &status) == 0 && S_ISREG(status.st_mode)) found.push_back(std::move(name));
  }
  return found;
}

void for_each_whole_line(const std::string& path, const std::function<void(std::string_view line)>& each) {
  BlockReader reader(path);
  std::string begun;  // of the line
  for (std::string_view block = reader.next(); !block.empty(); block = reader.next()) {
    for (size_t end = block.find('\n'); end != std::string_view::npos; end = block.find('\n')) {
      begun.append(block.substr(0, end));
      each(begun);
      begun.clear();
      block.remove_prefix(end + 1);
    }
    begun.append(block);
  }
}

}  // namespace ventris::files
