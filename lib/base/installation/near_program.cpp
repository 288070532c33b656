#include "installation/near_program.h"

#include <algorithm>
#include <system_error>

namespace ventris::installation {
namespace fs = std::filesystem;

fs::path program_file() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error);
}

std::vector<fs::path> library_folders_near(const fs::path& folder) {
  std::vector<fs::path> found{folder};
  for (const fs::path libraries : {"lib", VENTRIS_LIBDIR}) {
    const fs::path place = folder.parent_path() / libraries;
    if (std::find(found.begin(), found.end(), place) == found.end()) found.push_back(place);
  }
  return found;
}

}  // namespace ventris::installation
