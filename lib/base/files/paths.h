#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// Functions on paths and names that do not throw.
namespace ventris::files {

/// Whether the path exists. Also false if this cannot be found out (no permission, a name too long), because then it
/// cannot be used either.
bool exists(const std::filesystem::path& path);

/// Why it cannot be found out whether the path exists, such as "Permission denied"; empty if it can.
std::string access_problem(const std::filesystem::path& path);

/// An entry of a folder.
struct Numbered {
  int64_t number;
  std::string path;
};

/// The entries whose names are `prefix` followed by a decimal number and nothing else, in ascending order. Empty if
/// the folder does not exist.
std::vector<Numbered> numbered_entries(const std::string& folder, std::string_view prefix);

/// The absolute path, without links, "." and "..", as far as it exists, so that two names of the same place become
/// equal. Returned unchanged if it cannot be resolved.
std::filesystem::path resolved(const std::filesystem::path& path);

}  // namespace ventris::files
