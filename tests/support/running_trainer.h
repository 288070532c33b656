#pragma once
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/run_program.h"
#include "support/temp_folder.h"

namespace ventris::test {

/// How a process ended: its exit code, or the signal that ended it.
struct Ending {
  bool exited = false;
  int code = 0;
};

/// ventris-train, or a program like it, at work; it does not outlive the object.
class RunningTrainer {
 public:
  /// Standard error goes to `log`; `environment` is added to ours.
  RunningTrainer(const std::vector<std::string>& arguments, const std::string& log,
                 const std::map<std::string, std::string>& environment = {},
                 const std::string& program = "ventris-train") {
    const std::string path = program_path(program);
    std::vector<char*> argv{const_cast<char*>(path.c_str())};
    for (const auto& word : arguments) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    child_ = fork();
    if (child_ == 0) {
      for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
      dup2(open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
      execv(path.c_str(), argv.data());
      _exit(127);
    }
  }
  RunningTrainer(RunningTrainer&& other) noexcept : child_(std::exchange(other.child_, -1)) {}
  ~RunningTrainer() {
    if (child_ <= 0) return;
    send(SIGKILL);
    wait();
  }
  RunningTrainer(const RunningTrainer&) = delete;
  RunningTrainer& operator=(const RunningTrainer&) = delete;

  void send(int signal) const { kill(child_, signal); }
  pid_t pid() const { return child_; }

  Ending wait() {
    int status = 0;
    waitpid(std::exchange(child_, -1), &status, 0);
    return WIFEXITED(status) ? Ending{true, WEXITSTATUS(status)} : Ending{false, WTERMSIG(status)};
  }

 private:
  pid_t child_ = -1;
};

/// Whether it came true within a minute.
template <typename Condition>
bool wait_until(const Condition& condition) {
  for (int tries = 0; tries < 6000; ++tries) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

/// Whether the process has a handler of its own for this signal.
inline bool catches(pid_t process, int signal) {
  const std::string status = file_bytes("/proc/" + std::to_string(process) + "/status"), name = "SigCgt:\t";
  const size_t at = status.find(name);
  return at != std::string::npos &&
         (std::stoull(status.substr(at + name.size()), nullptr, 16) >> (signal - 1) & 1) != 0;
}

/// A metrics.jsonl without what a clock decides.
inline std::string metrics_of(const std::string& run_folder) {
  std::istringstream lines(file_bytes(run_folder + "/metrics.jsonl"));
  std::string line, all;
  while (std::getline(lines, line)) {
    auto json = nlohmann::json::parse(line);
    for (const char* key : {"target_tokens_per_second", "peak_memory_mib", "minutes", "seconds"}) json.erase(key);
    all += json.dump() + "\n";
  }
  return all;
}

}  // namespace ventris::test
