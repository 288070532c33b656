#pragma once
#include <string>

/// How a file or folder gets its final name; shared by files.cpp, partial.cpp and folders.cpp.
namespace ventris::files {

/// Prefix of temporary names.
constexpr const char* kTemporaryPrefix = ".tmp-";

/// Prefix of the name of an older folder while it is replaced.
constexpr const char* kOldPrefix = ".old-";

/// Why the last system call failed (errno).
std::string reason();

/// The folder of `path`; "." if `path` names none.
std::string parent_of(const std::string& path);

/// `path` with `prefix` before its last component.
std::string beside(const std::string& path, const std::string& prefix);

/// A name in the same folder as `path` that only this process uses.
std::string temporary_name(const std::string& path);

/// Whether it is an open file of some process (the target of /dev/fd/3), which a rename cannot replace.
bool in_proc(const std::string& path);

/// The final target of a symbolic link. (A rename to the link would replace the link itself.)
std::string follow_links(std::string path);

/// Renames `from` to `to`, replacing a file of that name. Throws WriteError.
void put_in_place(const std::string& from, const std::string& to);

/// Waits until the folder's list of names is on the disk. Throws WriteError.
void sync_folder(const std::string& path);

}  // namespace ventris::files
