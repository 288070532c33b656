#include "files/paths.h"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace ventris::files {
namespace fs = std::filesystem;

std::string access_problem(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  return status.type() == fs::file_type::none ? error.message() : "";
}

bool exists(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

std::vector<Numbered> numbered_entries(const std::string& folder, std::string_view prefix) {
  std::vector<Numbered> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(prefix) || name.size() == prefix.size()) continue;
    if (name.find_first_not_of("0123456789", prefix.size()) != std::string::npos) continue;
    int64_t number = 0;
    const auto [end, error] = std::from_chars(name.data() + prefix.size(), name.data() + name.size(), number);
    if (error == std::errc()) found.push_back({number, entry.path().string()});
  }
  std::ranges::sort(found, {}, &Numbered::number);
  return found;
}

fs::path resolved(const fs::path& path) {
  std::error_code error;
  const fs::path found = fs::weakly_canonical(fs::absolute(path, error), error);
  return error ? path : found;
}

}  // namespace ventris::files
