#include "support/run_program.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "support/temp_folder.h"

namespace ventris::test {

std::string program_path(const std::string& name) { return std::string(VENTRIS_PROGRAMS) + "/" + name; }

Outcome run_program(const std::string& name, const std::vector<std::string>& arguments, const std::string& input) {
  const TempFolder folder;
  const std::string in = folder.file("in", input), out = folder.path("out"), err = folder.path("err");
  const std::string path = program_path(name);
  std::vector<char*> argv{const_cast<char*>(path.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    dup2(open(in.c_str(), O_RDONLY), STDIN_FILENO);
    dup2(open(out.c_str(), O_WRONLY | O_CREAT, 0600), STDOUT_FILENO);
    dup2(open(err.c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
    execv(path.c_str(), argv.data());
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  Outcome outcome;
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  outcome.out = file_bytes(out);
  outcome.err = file_bytes(err);
  return outcome;
}

}  // namespace ventris::test
