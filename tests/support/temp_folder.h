#pragma once
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

namespace ventris::test {

/// A fresh folder that goes away with the object.
class TempFolder {
 public:
  explicit TempFolder(const std::filesystem::path& parent = std::filesystem::temp_directory_path()) {
    std::string name = (parent / "ventris-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
  }
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  /// The folder itself, or the path of `name` in it.
  std::string path(const std::string& name = "") const { return name.empty() ? path_ : path_ + "/" + name; }

  /// Writes a file into the folder and returns its path.
  std::string file(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }

 private:
  std::string path_;
};

/// A parent for folders whose files are written thousands of times: in memory where the system has that.
inline std::filesystem::path memory_folder() {
  const char* memory = "/dev/shm";
  return access(memory, W_OK) == 0 ? std::filesystem::path(memory) : std::filesystem::temp_directory_path();
}

/// The bytes of a file; empty if there is none.
inline std::string file_bytes(const std::string& path) {
  const std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;  // the library copies blocks, which is fast also in tests without optimisation
  bytes << file.rdbuf();
  return std::move(bytes).str();
}

}  // namespace ventris::test
