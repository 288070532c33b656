#pragma once
#include <set>
#include <string>

/// Replaces and removes folders that a program wrote. Files that users have put into them are never lost.
namespace ventris::files {

/// Names of the files in a folder that the program wrote.
using OwnNames = std::set<std::string>;

/// Renames the folder `temporary` to `path` (in one step if the file system can swap names). If `path` was a folder
/// before, its files in `own` are removed and all others are moved to the new one. Throws WriteError and leaves the
/// older folder as it was if `path` is not a folder, or if a file of `temporary` would replace one that is not in
/// `own`.
void replace_folder(const std::string& temporary, const std::string& path, const OwnNames& own);

/// Removes the files in `own` from the folder, and the folder itself if it is then empty. If `path` is a symbolic link,
/// only the link is removed. Throws WriteError.
void remove_own_files(const std::string& path, const OwnNames& own);

/// Removes a file, a link or an empty folder if it exists. Throws WriteError.
void remove_file(const std::string& path);

/// Removes an empty folder. Other folders stay, and so do links to folders. Throws WriteError.
void remove_if_empty(const std::string& path);

}  // namespace ventris::files
