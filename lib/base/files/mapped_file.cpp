#include "files/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

#include "core/error.h"
#include "files/files.h"
#include "files/mapped_ranges.h"
#include "files/placing.h"

namespace ventris::files {
namespace {

using core::SharedBytes;

constexpr size_t kReadBytes = 1 << 18;  // fits into the cache of a core

struct Mapping {
  Mapping(void* begin, size_t bytes) : place(begin), size(bytes) {}
  ~Mapping() {
    noted.reset();
    munmap(place, size);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  void* place;
  size_t size;
  std::shared_ptr<const void> noted;
};

}  // namespace

MappedFile::MappedFile(const std::string& path)
    : path_(path), descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  if (descriptor_ < 0) fail<UnreadableError>(path, ": cannot be read: ", reason());
  struct stat status{};
  if (fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode)) {
    size_ = static_cast<uint64_t>(status.st_size);
    return;
  }
  close(descriptor_);
  fail<UnreadableError>(path, ": expected a regular file");
}

MappedFile::~MappedFile() { close(descriptor_); }

uint32_t MappedFile::checksum() const {
  std::string block(kReadBytes, '\0');
  uint32_t found = 0;
  for (uint64_t place = 0;;) {
    const ssize_t got = pread(descriptor_, block.data(), block.size(), static_cast<off_t>(place));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail<UnreadableError>(path_, ": cannot be read: ", reason());
    if (got == 0) return found;
    found = crc32(std::string_view(block).substr(0, static_cast<size_t>(got)), found);
    place += static_cast<uint64_t>(got);
  }
}

SharedBytes MappedFile::map() const {
  if (size_ == 0) return SharedBytes(std::string());
  void* place = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor_, 0);
  if (place == MAP_FAILED) fail<UnreadableError>(path_, ": cannot be mapped into memory: ", reason());
  const auto mapping = std::make_shared<Mapping>(place, size_);
  mapping->noted = note_mapping(place, size_, path_, descriptor_);
  check_mapping(place);
  return SharedBytes::of_mapping(mapping, {static_cast<const char*>(place), size_});
}

}  // namespace ventris::files
