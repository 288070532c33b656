#include "core/terminal.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

namespace ventris::core {
namespace {

/// terminal_columns() while stderr is this descriptor.
size_t columns_on(int descriptor) {
  const int before = dup(STDERR_FILENO);
  dup2(descriptor, STDERR_FILENO);
  const size_t columns = terminal_columns();
  dup2(before, STDERR_FILENO);
  close(before);
  return columns;
}

size_t columns_on_terminal(unsigned short wide) {
  int ours = -1, theirs = -1;
  winsize size{};
  size.ws_col = wide;
  EXPECT_EQ(openpty(&ours, &theirs, nullptr, nullptr, &size), 0);
  const size_t columns = columns_on(theirs);
  close(ours);
  close(theirs);
  return columns;
}

TEST(TerminalColumns, AreWhatTheTerminalSays) {
  EXPECT_EQ(columns_on_terminal(132), 132U);
  EXPECT_EQ(columns_on_terminal(0), 80U);
}

TEST(TerminalColumns, AreTheUsualOnesWhereThereIsNoTerminal) {
  const int nowhere = open("/dev/null", O_WRONLY);
  EXPECT_EQ(columns_on(nowhere), 80U);
  close(nowhere);
}

}  // namespace
}  // namespace ventris::core
