#pragma once
#include <filesystem>
#include <vector>

/// Where the files of an installation are, seen from the running program. An installation may be moved as a whole.
namespace ventris::installation {

/// The file of the running program, without links; empty if the system does not say.
std::filesystem::path program_file();

/// Folders in which libraries that belong to a program in `folder` are looked for, in this order: the folder itself,
/// ../lib from there, and the library folder of the installation if it has another name (such as
/// ../lib/x86_64-linux-gnu).
std::vector<std::filesystem::path> library_folders_near(const std::filesystem::path& folder);

}  // namespace ventris::installation
