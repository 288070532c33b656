#pragma once
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

/// Folders that are either the old version or the new one, and whose every byte is checked before it is believed.
namespace ventris::core {

/// Name and content of one file of a folder.
using NamedBytes = std::pair<std::string, std::string>;

/// Writes a folder with these files and a MANIFEST (one line a file: size, crc32 in lower-case hex, name; last line
/// END) under a temporary name, syncs it and puts it in place in one step, replacing an older folder of that name. What
/// others have put into that folder is found in the new one. (Two steps where the file system cannot swap names: a
/// process killed between them leaves the older folder as ".old-NAME" there, which remove_leftovers puts back.)
/// Throws WriteError, also where a file there has the name of a new one and the older MANIFEST does not list it; the
/// older folder is then as it was. Checks the free space first.
void write_folder(const std::string& path, const std::vector<NamedBytes>& files);

/// Removes the files that write_folder wrote, MANIFEST last, and the folder unless something else is in it. `usual` are
/// the names to go by if MANIFEST is damaged. A folder without MANIFEST stays. Of a symbolic link only the link is
/// removed. Returns whether `path` is gone. Throws WriteError.
bool remove_folder(const std::string& path, const std::vector<std::string>& usual);

/// Throws ConfigError unless write_folder there replaces nothing but such a folder, or an empty one. For folders that
/// people name.
void check_folder_target(const std::string& path);

/// Reads MANIFEST and every file it names, each once, and checks their sizes and crc32. Zeros before a crc32 are
/// allowed, up to 8 digits. Throws ModelError naming the first bad file. Names with '/' or a leading '.' are refused.
/// In MANIFEST's order. A folder that write_folder replaces meanwhile is read as it was or as it is. If `wanted` is not
/// empty, files with other names are not read: only their size is checked.
std::vector<NamedBytes> read_folder(const std::string& path, const std::set<std::string>& wanted = {});

/// The same checks with only one file in memory at a time. Returns the names.
std::vector<std::string> verify_folder(const std::string& path);

/// Puts `parent` in order after a process was killed: removes what write_folder and OutputFile had not finished
/// (".tmp-PID-NAME", if that process is gone) and puts an older folder back whose newer version is not there
/// (".old-NAME" to NAME). Only where `is_ours(NAME)`: people give such names, too.
void remove_leftovers(const std::string& parent, const std::function<bool(const std::string& name)>& is_ours);

/// An advisory lock on a folder, held until destruction. Throws ConfigError if another process holds it, WriteError if
/// the folder cannot be written or its file system has no locks.
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  /// Throws WriteError if the folder was moved away, or another one is there now: what is locked is no longer what the
  /// path leads to.
  void check_in_place() const;

 private:
  std::string folder_;
  int descriptor_ = -1;
};

}  // namespace ventris::core
