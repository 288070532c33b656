#pragma once
#include <cstdint>
#include <string>

#include "core/shared_bytes.h"

namespace ventris::files {

/// A regular file that is read where it is, without a copy in memory.
class MappedFile {
 public:
  /// Throws UnreadableError with the reason.
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  uint64_t size() const { return size_; }
  /// The crc32 of the file. It reads block by block, so that no page of the mapping becomes memory of this process.
  uint32_t checksum() const;
  /// The bytes of the file, read-only. Processes that map the same file share its pages. The bytes stay valid if the
  /// file is replaced or removed; a file that another program writes to is not a stable source. What happens if it
  /// becomes shorter: files/mapped_ranges.h. Throws UnreadableError, and ModelError if it has become shorter already.
  core::SharedBytes map() const;

 private:
  std::string path_;
  int descriptor_ = -1;
  uint64_t size_ = 0;
};

}  // namespace ventris::files
