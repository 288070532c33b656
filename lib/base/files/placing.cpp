#include "files/placing.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "core/error.h"

namespace ventris::files {
namespace fs = std::filesystem;

constexpr int kMostLinks = 40;  // as many as the kernel follows

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

bool in_proc(const std::string& path) {
  struct statfs system{};
  return statfs(parent_of(path).c_str(), &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}

std::string follow_links(std::string path) {
  std::error_code error;
  for (int links = 0; links < kMostLinks && !in_proc(path); ++links) {
    const fs::path target = fs::read_symlink(path, error);
    if (error) break;
    path = (fs::path(path).parent_path() / target).string();
  }
  return path;
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
