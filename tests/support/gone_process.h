#pragma once
#include <sys/wait.h>
#include <unistd.h>

namespace ventris::test {

/// The number of a process that has ended.
inline pid_t process_that_is_gone() {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
  return child;
}

}  // namespace ventris::test
