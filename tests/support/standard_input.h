#pragma once
#include <fcntl.h>
#include <unistd.h>

#include <string>

namespace ventris::test {

/// A standard stream is this file for as long as the object lives. `mode`: as for open().
class StandardStream {
 public:
  StandardStream(const std::string& path, int stream, int mode) : stream_(stream), before_(dup(stream)) {
    const int file = open(path.c_str(), mode | O_CLOEXEC);
    dup2(file, stream);
    close(file);
  }
  ~StandardStream() {
    dup2(before_, stream_);
    close(before_);
  }
  StandardStream(const StandardStream&) = delete;
  StandardStream& operator=(const StandardStream&) = delete;

 private:
  int stream_, before_;
};

/// The same for standard input.
class StandardInput : public StandardStream {
 public:
  explicit StandardInput(const std::string& path) : StandardStream(path, STDIN_FILENO, O_RDONLY) {}
};

}  // namespace ventris::test
