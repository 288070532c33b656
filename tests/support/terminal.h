#pragma once
#include <fcntl.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "support/run_program.h"

namespace ventris::test {

/// Runs one of our programs with stderr on a terminal of so many columns. Its standard input is `input`, of which the
/// end comes `seconds` later. Returns what was written to the terminal as `err`; `environment` holds NAME=VALUE.
inline Outcome run_on_terminal(const std::string& name, const std::vector<std::string>& arguments,
                               const std::vector<std::string>& environment = {}, const std::string& input = "",
                               double seconds = 0, unsigned short columns = 80) {
  winsize size{24, columns, 0, 0};
  int master = -1, slave = -1;
  std::array<int, 2> pipe_ends{};
  if (openpty(&master, &slave, nullptr, nullptr, &size) != 0 || pipe(pipe_ends.data()) != 0) return {};
  const std::string path = program_path(name);
  std::vector<char*> argv{const_cast<char*>(path.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    dup2(pipe_ends[0], STDIN_FILENO);
    dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
    dup2(slave, STDERR_FILENO);
    for (const int descriptor : {pipe_ends[0], pipe_ends[1], master, slave}) close(descriptor);
    unsetenv("NO_COLOR");
    setenv("TERM", "xterm", 1);
    for (const std::string& variable : environment) putenv(const_cast<char*>(variable.c_str()));
    execv(path.c_str(), argv.data());
    _exit(127);
  }
  close(slave);
  close(pipe_ends[0]);
  std::thread writer([&] {
    if (write(pipe_ends[1], input.data(), input.size()) >= 0) {
      std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    }
    close(pipe_ends[1]);
  });
  Outcome outcome;
  std::array<char, 4096> block{};
  for (ssize_t got = 0; (got = read(master, block.data(), block.size())) > 0;) {
    outcome.err.append(block.data(), static_cast<size_t>(got));
  }
  writer.join();
  close(master);
  int status = 0;
  waitpid(child, &status, 0);
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

}  // namespace ventris::test
