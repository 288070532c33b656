#include "files/placing.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "core/error.h"

namespace ventris::files {
namespace fs = std::filesystem;

std::string reason() { return std::strerror(errno); }

std::string parent_of(const std::string& path) {
  const std::string parent = fs::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

std::string beside(const std::string& path, const std::string& prefix) {
  const fs::path full(path);
  return (full.parent_path() / (prefix + full.filename().string())).string();
}

std::string temporary_name(const std::string& path) {
  return beside(path, kTemporaryPrefix + std::to_string(getpid()) + "-");
}

void put_in_place(const std::string& from, const std::string& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0) fail<WriteError>(to, ": cannot be put in place: ", reason());
}

void sync_folder(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) fail<WriteError>(path, ": cannot open the folder: ", reason());
  const int result = fsync(descriptor);
  close(descriptor);
  if (result != 0) fail<WriteError>(path, ": cannot sync the folder: ", reason());
}

}  // namespace ventris::files
