#pragma once
#include <filesystem>
#include <string_view>

/// Questions about paths and names that do not fail.
namespace ventris::core {

/// Whether something is there. False, too, for what cannot be looked at (permissions, a name too long): it cannot be
/// used either.
bool exists(const std::filesystem::path& path);

/// Whether a name is `prefix` and a number in decimal digits, nothing else.
bool is_numbered(std::string_view name, std::string_view prefix);

/// The path from the root with links followed and "." and ".." gone, as far as it exists. Two names of one place are
/// equal then. What cannot be looked at is returned as it is.
std::filesystem::path resolved(const std::filesystem::path& path);

}  // namespace ventris::core
