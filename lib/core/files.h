#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

/// Files that are either the old version or the new one, whole, whatever happens while they are written.
namespace ventris::core {

/// crc32 as in zlib; of `bytes` behind what `so_far` is the crc32 of.
uint32_t crc32(std::string_view bytes, uint32_t so_far = 0);

/// The whole file. Throws DataError saying why it cannot be read (missing, a folder, no permission), Interrupted when a
/// stop signal (core/process.h) arrives while a device or a pipe is read.
std::string read_file(const std::string& path);

/// The same for a file that others may have put there, such as one of a bundle: throws DataError, too, for anything but
/// a plain file. To open a pipe is to wait for its writer.
std::string read_plain_file(const std::string& path);

/// Throws DataError, saying why, unless `path` can be opened for reading.
void check_readable(const std::string& path);

class GzipPacker;

enum class Packing {
  kNone,  ///< the bytes as they are
  kBySuffix  ///< gzip if the path ends in ".gz"
};

/// A file written without a name (beside its final name where a file system has no such files), put in place by
/// commit(); until then the old one stays as it was. Without commit() nothing remains. A symbolic link stays, and what
/// it leads to is written; a file that is replaced keeps its permissions. "-" and /dev/stdout write to stdout; devices,
/// pipes and /dev/fd/N are written as they are. With packing, one gzip member is written. Errors are WriteError.
class OutputFile {
 public:
  explicit OutputFile(std::string path, Packing packing = Packing::kNone);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);
  void flush();  ///< hands what was written to the system
  void commit();  ///< flush, sync, name. For stdout: flush, and an error if anything could not be written

  /// Instead of commit(), for work that was broken off: what was written gets a name of its own and the final one stays
  /// as it was. Returns that name: partial_name() of the first number that is free. Empty where nothing is kept,
  /// because nothing was written or because it is out already (stdout, devices and pipes, which are flushed).
  std::string keep_partial();

 private:
  void finish();
  void write_all(std::string_view bytes);

  std::string path_;  // as it was given
  std::string target_;  // where its links lead
  std::string temporary_;
  std::string buffer_;
  std::unique_ptr<GzipPacker> packer_;  // null = nothing is packed
  bool empty_ = true;  // nothing was written
  int descriptor_ = -1;
};

/// "FILE.partial", or "FILE.partial-2" for number 2; ".gz" stays at the end: "out.partial.gz".
std::string partial_name(const std::string& path, int number);

/// Writes a whole file through OutputFile.
void write_file(const std::string& path, std::string_view bytes);

}  // namespace ventris::core
