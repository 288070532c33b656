#pragma once
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/shared_bytes.h"

/// Folders that are replaced atomically, and whose files are checked against checksums before they are used.
namespace ventris::files {

/// Name and content of one file of a folder.
using NamedBytes = std::pair<std::string, std::string>;

/// Writes a folder with these files and a MANIFEST (per file, one line: size, crc32 in lower-case hex, name; last line
/// END) under a temporary name, syncs it, and renames it in one step. An older folder of that name is replaced; files
/// that others have put into it are moved to the new one. (If the file system cannot swap names, it takes two steps. A
/// process killed in between leaves the older folder as ".old-NAME", and remove_leftovers renames it back.) Checks the
/// free space first. Throws WriteError, also if the older folder has a file with the name of a new one that its
/// MANIFEST does not list; the older folder then stays as it was.
void write_folder(const std::string& given, const std::vector<NamedBytes>& files);

/// Removes the files that write_folder wrote, MANIFEST last, and then the folder if it is empty. If MANIFEST is
/// damaged, the files named in `usual` are removed instead. A folder without MANIFEST stays. If `path` is a symbolic
/// link, only the link is removed. Returns whether `path` is gone. Throws WriteError.
bool remove_folder(const std::string& path, const std::vector<std::string>& usual);

/// For folders that a user names. Throws ConfigError unless `path` does not exist, is empty, or is a folder that
/// write_folder wrote. Then removes what is left beside it of a write_folder in a process that was killed
/// (".tmp-PID-NAME", if that process is gone).
void prepare_folder_target(const std::string& path);

/// Reads MANIFEST and every file it names, each once, checks sizes and crc32, and returns the files in MANIFEST's
/// order. A crc32 may have leading zeros, up to 8 digits. Names with '/' or a leading '.' are refused. Throws
/// ModelError with the name of the first bad file. If write_folder replaces the folder at the same time, the result is
/// entirely the old or entirely the new version. If `wanted` is not empty, only the sizes of other files are checked.
std::vector<NamedBytes> read_folder(const std::string& path, const std::set<std::string>& wanted = {});

/// A file that MANIFEST names, as it is now.
struct ListedFile {
  std::string name;
  std::string bytes;
  size_t listed_size = 0;  ///< as MANIFEST says
  bool changed = false;    ///< its size or its crc32 is not the one in MANIFEST
};

/// Reads MANIFEST and every file it names, changed or not, in MANIFEST's order. Throws ModelError if MANIFEST or a file
/// is missing or cannot be read, or if MANIFEST is damaged.
std::vector<ListedFile> read_changed_folder(const std::string& path);

/// A file of a folder.
struct FolderFile {
  std::string name;
  std::string bytes;   ///< empty if it is mapped
  core::SharedBytes mapped;  ///< none if it was read
};

/// As read_folder(path, wanted), but the files in `mapped` are not read into memory; they are mapped after the check.
std::vector<FolderFile> map_folder(const std::string& path, const std::set<std::string>& wanted,
                                   const std::set<std::string>& mapped);

/// The same checks with no file in memory. Returns the names.
std::vector<std::string> verify_folder(const std::string& path);

/// Cleans up `parent` after a process was killed: removes unfinished output of write_folder and OutputFile
/// (".tmp-PID-NAME", if that process is gone), and renames ".old-NAME" to NAME if NAME does not exist. Does this only
/// if `is_ours(NAME)`, because users may have files with such names, too.
void remove_leftovers(const std::string& parent, const std::function<bool(const std::string& name)>& is_ours);

/// An advisory lock on a folder, held until destruction. Throws ConfigError if another process holds it, WriteError if
/// the folder cannot be written or its file system has no locks.
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  /// Throws WriteError if the folder was moved, removed or replaced, so that the path no longer names the locked
  /// folder.
  void check_in_place() const;

 private:
  std::string folder_;
  int descriptor_ = -1;
};

}  // namespace ventris::files
