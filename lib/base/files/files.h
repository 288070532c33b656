#pragma once
#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

/// Reads files, and writes them atomically: a file is always either the complete old or the complete new version.
namespace ventris::files {

/// The crc32 of zlib. With `so_far`, the crc32 of some bytes, it continues: the result covers those bytes and `bytes`.
uint32_t crc32(std::string_view bytes, uint32_t so_far = 0);

/// Reads the whole file. Throws DataError with the reason if it cannot be read (missing, a folder, no permission), and
/// Interrupted if a stop signal (core/process.h) arrives while a device or a pipe is read. Throws DataError for more
/// than `most` bytes, before they are in memory.
std::string read_file(const std::string& path, size_t most = SIZE_MAX);

/// The same for files from others, such as those of a bundle: also throws DataError for anything but a regular file.
/// (Opening a pipe would wait for its writer.)
std::string read_plain_file(const std::string& path);

/// Throws DataError with the reason unless `path` can be opened for reading.
void check_readable(const std::string& path);

class GzipPacker;

enum class Packing {
  kNone,  ///< no compression
  kBySuffix  ///< gzip if the path ends in ".gz"
};

/// What an OutputFile is called while it is written.
enum class Naming {
  kAtTheEnd,  ///< it has no name, or a temporary one; if the process is killed, nothing is left
  kPartial  ///< partial_name() with the first free number (partial.h), so that it is left if the process is killed
};

/// A file that gets its name only in commit(); until then an older file of that name stays as it was, and without
/// commit() nothing remains. (Where the file system has no files without a name, a temporary name is used.) A symbolic
/// link stays, and its target is written. A replaced file keeps its permissions. "-" and /dev/stdout write to stdout;
/// devices, pipes and /dev/fd/N are written directly. With packing, one gzip member is written. Throws WriteError,
/// PipeClosed if nobody reads the pipe any more, and Interrupted if a stop signal came and its reader then takes
/// nothing for a second.
class OutputFile {
 public:
  explicit OutputFile(std::string path, Packing packing = Packing::kNone, Naming naming = Naming::kAtTheEnd);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);
  void flush();  ///< passes everything written so far to the system
  void commit();  ///< flushes, syncs and names the file. For stdout: flushes; throws if anything could not be written

  /// Call this instead of commit() if the work was interrupted: the output so far gets another name, and a file with
  /// the final name stays as it was. Returns the new name: partial_name() with the first free number. Empty if nothing
  /// is kept: nothing was written, or it has already been output (stdout, devices and pipes, which are flushed).
  std::string keep_partial();

  /// The same after an error of writing: only what has reached the file is kept, perhaps without the end of a line.
  /// Empty also if the file cannot get that name. Throws nothing.
  std::string leave_partial();

  /// Whether somebody may read the output while it is written: stdout, a pipe or a device. It is then to be flushed as
  /// soon as something is complete.
  bool is_read_at_once() const { return descriptor_ >= 0 && temporary_.empty(); }

  /// Whether nothing was written so far.
  bool empty() const { return empty_; }

  /// The name that is left if the process is killed; empty = none.
  const std::string& partial() const { return partial_; }

 private:
  void open_new(mode_t mode, Naming naming);
  void finish();
  std::string name_partial();
  void write_all(std::string_view bytes);

  std::string path_;  // as given by the caller
  std::string target_;  // path_ after following its links
  std::string temporary_;
  std::string partial_;  // temporary_ if that is a partial file's, otherwise empty
  std::string buffer_;
  std::unique_ptr<GzipPacker> packer_;  // null = no compression
  bool empty_ = true;  // nothing was written
  bool given_up_ = false;  // after a stop signal, its reader took nothing; nothing more is written
  int descriptor_ = -1;
};

/// Writes a whole file through OutputFile.
void write_file(const std::string& path, std::string_view bytes);

}  // namespace ventris::files
