#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace ventris::text {

/// The bytes of a file or of standard input, block by block, after unpacking.
class ByteSource {
 public:
  virtual ~ByteSource() = default;

  /// The next bytes, valid until the next call; empty at the end. Throws DataError if they cannot be read or unpacked,
  /// and Interrupted after a stop signal (core/process.h), even if it arrives while the call waits for a slow writer.
  virtual std::string_view next_block() = 0;

  /// Whether next_block() would return without waiting for a slow writer.
  virtual bool ready() = 0;
};

/// Opens a file (as gzip if its name ends in ".gz") or standard input ("-"). Does not wait for the writer of a named
/// pipe; next_block() does. Throws DataError if it cannot be read.
std::unique_ptr<ByteSource> open_bytes(const std::string& path);

/// Calls each(line) for each line of such a file, without its line feed and otherwise byte for byte: nothing is
/// dropped, cut or repaired. A last line without a line feed counts. Throws as above.
void for_each_raw_line(const std::string& path, const std::function<void(const std::string& line)>& each);

}  // namespace ventris::text
