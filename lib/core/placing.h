#pragma once
#include <string>

/// How a file or folder gets its final name; what files.cpp and folders.cpp share.
namespace ventris::core {

/// What names start with that are not final.
constexpr const char* kTemporaryPrefix = ".tmp-";

/// What the name of a folder starts with while another one takes its place.
constexpr const char* kOldPrefix = ".old-";

/// Why the last call of the system failed.
std::string reason();

/// The folder that `path` is in; "." if it names none.
std::string parent_of(const std::string& path);

/// The name beside `path` that has `prefix` before it.
std::string beside(const std::string& path, const std::string& prefix);

/// A name beside `path` that only this process uses.
std::string temporary_name(const std::string& path);

/// Renames; what `to` named is replaced if it is a file. Throws WriteError.
void put_in_place(const std::string& from, const std::string& to);

/// Returns when the folder's list of names is on the disk. Throws WriteError.
void sync_folder(const std::string& path);

}  // namespace ventris::core
