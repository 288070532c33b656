#pragma once
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace ventris::test {

/// The names in a folder, sorted.
inline std::vector<std::string> entries(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace ventris::test
