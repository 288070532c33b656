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
  /// or if the file is shorter at its end than when it was opened, and Interrupted after a stop signal
  /// (core/process.h), even if it arrives while the call waits for a slow writer.
  virtual std::string_view next_block() = 0;

  /// Whether next_block() would return without waiting for a slow writer.
  virtual bool ready() = 0;
};

/// Opens a file or standard input ("-"). What begins like gzip, or has a name that ends in ".gz", is unpacked. Does not
/// wait for the writer of a named pipe; next_block() does. Throws DataError if it cannot be read. next_block() throws
/// DataError for a file of another known kind, such as a ZIP archive (file_kinds.h).
std::unique_ptr<ByteSource> open_bytes(const std::string& path);

/// The same for files of any kind, of which none is refused.
std::unique_ptr<ByteSource> open_bytes_of_any_kind(const std::string& path);

/// Throws DataError with the name unless these first bytes of an (unpacked) file can be UTF-8 text (file_kinds.h).
void check_kind(std::string_view start, const std::string& name);

/// Calls each(line) for each line of such a file, without its line feed and otherwise byte for byte: nothing is
/// dropped, cut or repaired. A last line without a line feed counts. Throws as above.
void for_each_raw_line(const std::string& path, const std::function<void(const std::string& line)>& each);

}  // namespace ventris::text
