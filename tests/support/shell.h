#pragma once
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <memory>
#include <string>

#include "support/run_program.h"

namespace ventris::test {

/// Runs a command line with bash; `err` stays empty, its stderr is the test's.
inline Outcome run_shell(const std::string& script) {
  std::string quoted = script;
  for (size_t at = quoted.find('\''); at != std::string::npos; at = quoted.find('\'', at + 4)) {
    quoted.replace(at, 1, "'\\''");
  }
  FILE* const pipe = popen(("exec bash -c '" + quoted + "'").c_str(), "r");
  Outcome outcome;
  std::array<char, 4096> block{};
  while (const size_t got = std::fread(block.data(), 1, block.size(), pipe)) outcome.out.append(block.data(), got);
  const int status = pclose(pipe);
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

/// Whether a command of this name is installed.
inline bool has_command(const std::string& name) { return run_shell("command -v " + name + " >/dev/null").code == 0; }

}  // namespace ventris::test
