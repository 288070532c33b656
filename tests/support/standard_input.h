#pragma once
#include <fcntl.h>
#include <unistd.h>

#include <string>

namespace ventris::test {

/// Standard input is this file for as long as the object lives.
class StandardInput {
 public:
  explicit StandardInput(const std::string& path) : before_(dup(STDIN_FILENO)) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    dup2(file, STDIN_FILENO);
    close(file);
  }
  ~StandardInput() {
    dup2(before_, STDIN_FILENO);
    close(before_);
  }
  StandardInput(const StandardInput&) = delete;
  StandardInput& operator=(const StandardInput&) = delete;

 private:
  int before_;
};

}  // namespace ventris::test
