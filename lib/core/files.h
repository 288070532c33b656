#pragma once
#include <cstdint>
#include <string>
#include <string_view>

/// Files that are either the old version or the new one, whole, whatever happens while they are written.
namespace ventris::core {

/// crc32 as in zlib; of `bytes` behind what `so_far` is the crc32 of.
uint32_t crc32(std::string_view bytes, uint32_t so_far = 0);

/// The whole file. Throws DataError saying why it cannot be read (missing, a folder, no permission).
std::string read_file(const std::string& path);

/// Throws DataError, saying why, unless `path` can be opened for reading.
void check_readable(const std::string& path);

/// A file written without a name (beside its final name where a file system has no such files), put in place by
/// commit(); until then the old one stays as it was. Without commit() nothing remains. A symbolic link stays, and what
/// it leads to is written; a file that is replaced keeps its permissions. "-" and /dev/stdout write to stdout; devices,
/// pipes and /dev/fd/N are written as they are. Errors are WriteError.
class OutputFile {
 public:
  explicit OutputFile(std::string path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);
  void flush();   ///< hands what was written to the system
  void commit();  ///< flush, sync, name. For stdout: flush, and an error if anything could not be written

 private:
  void write_all(std::string_view bytes);

  std::string path_;    // as it was given
  std::string target_;  // where its links lead
  std::string temporary_;
  std::string buffer_;
  int descriptor_ = -1;
};

/// Writes a whole file through OutputFile.
void write_file(const std::string& path, std::string_view bytes);

}  // namespace ventris::core
