#pragma once
#include <set>
#include <string>

/// Replacing and removing folders of ours in which people may have put files of their own: those are never lost.
namespace ventris::core {

/// Names of the files in a folder that we wrote there.
using OwnNames = std::set<std::string>;

/// Puts the folder `temporary` in the place of `path` (in one step, where the file system can swap names). Of an older
/// folder there, the files in `own` are gone afterwards; any others are found in the new one. Throws WriteError, with
/// the older folder as it was, if `path` is no folder, or if a file of `temporary` would replace one that is not in
/// `own`.
void replace_folder(const std::string& temporary, const std::string& path, const OwnNames& own);

/// Removes the files in `own` from the folder, and the folder itself if nothing else is in it. Of a symbolic link only
/// the link is removed. Throws WriteError.
void remove_own_files(const std::string& path, const OwnNames& own);

/// Removes a file, a link or an empty folder, if it is there. Throws WriteError.
void remove_file(const std::string& path);

/// Removes a folder that is empty; any other stays, and so does a link to one. Throws WriteError.
void remove_if_empty(const std::string& path);

}  // namespace ventris::core
