#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// Questions about paths and names that do not fail.
namespace ventris::core {

/// Whether something is there. False, too, for what cannot be looked at (permissions, a name too long): it cannot be
/// used either.
bool exists(const std::filesystem::path& path);

/// An entry of a folder.
struct Numbered {
  int64_t number;
  std::string path;
};

/// The entries whose names are `prefix` and a number in decimal digits, nothing else; lowest first. None where there is
/// no such folder.
std::vector<Numbered> numbered_entries(const std::string& folder, std::string_view prefix);

/// The path from the root with links followed and "." and ".." gone, as far as it exists. Two names of one place are
/// equal then. What cannot be looked at is returned as it is.
std::filesystem::path resolved(const std::filesystem::path& path);

}  // namespace ventris::core
