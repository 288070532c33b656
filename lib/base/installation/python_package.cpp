#include "installation/python_package.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "core/resources.h"

namespace ventris::installation {
namespace {

// "" in sys.path stands for the current folder. A name is bytes, whatever the locale is.
constexpr const char* kFindPackage =
    "import os, sys\n"
    "sys.path = [folder for folder in sys.path if folder]\n"
    "import importlib.util\n"
    "found = importlib.util.find_spec(sys.argv[1])\n"
    "places = found and found.submodule_search_locations\n"
    "os.write(1, os.fsencode(list(places)[0] if places else ''))\n";

std::string read_all(int descriptor) {
  std::string text;
  std::array<char, 4096> block{};
  while (true) {
    const ssize_t got = read(descriptor, block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(block.data(), static_cast<size_t>(got));
  }
}

void wait_for(pid_t child) {
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
}

/// What a program writes to standard output. It reads nothing, and its messages are dropped. "" if it does not start.
/// Throws ResourceError if the system refuses another process.
std::string output_of(std::array<const char*, 5> command) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return "";
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = -1;
  const int error =
      posix_spawnp(&child, command[0], &actions, nullptr, const_cast<char* const*>(command.data()), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  const std::string text = error == 0 ? read_all(ends[0]) : "";
  close(ends[0]);
  if (error == 0) wait_for(child);
  if (error == EAGAIN) fail<ResourceError>(core::no_more_threads(std::strerror(error)));
  return text;
}

}  // namespace

std::filesystem::path python_package(const std::string& interpreter, const std::string& package) {
  return output_of({interpreter.c_str(), "-c", kFindPackage, package.c_str(), nullptr});
}

}  // namespace ventris::installation
