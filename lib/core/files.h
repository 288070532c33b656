#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Files that are either the old version or the new one, whole, whatever happens while they are written, and folders
/// whose every byte is checked before it is believed.
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

/// Name and content of one file of a folder.
using NamedBytes = std::pair<std::string, std::string>;

/// Writes a folder with these files and a MANIFEST (one line a file: size, crc32 in hex, name; last line END) under a
/// temporary name, syncs it and puts it in place in one step, replacing an older folder of that name. (Two steps where
/// the file system cannot swap names: a process killed between them leaves the older folder as ".old-NAME" there, which
/// remove_leftovers puts back.)
/// Throws WriteError; the older folder is then as it was. Checks the free space first.
void write_folder(const std::string& path, const std::vector<NamedBytes>& files);

/// Throws ConfigError unless write_folder there replaces nothing but such a folder, or an empty one. For folders that
/// people name.
void check_folder_target(const std::string& path);

/// Reads MANIFEST and every file it names, each once, and checks their sizes and crc32. Throws ModelError naming the
/// first bad file. Names with '/' or a leading '.' are refused. In MANIFEST's order.
std::vector<NamedBytes> read_folder(const std::string& path);

/// The same checks with only one file in memory at a time. Returns the names.
std::vector<std::string> verify_folder(const std::string& path);

/// Puts `parent` in order after a process was killed: removes what write_folder and OutputFile had not finished (names
/// starting with ".tmp-") and puts an older folder back whose newer version is not there (".old-NAME" to NAME).
void remove_leftovers(const std::string& parent);

/// An advisory lock on a folder, held until destruction. Throws ConfigError if another process holds it, WriteError if
/// the folder cannot be written or its file system has no locks.
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace ventris::core
