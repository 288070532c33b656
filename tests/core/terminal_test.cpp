#include "core/terminal.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

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

/// Sets an environment variable as long as it lives; null removes it.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    const char* before = std::getenv(name);
    if (before != nullptr) before_ = before;
    had_ = before != nullptr;
    set(value);
  }
  ~Variable() { set(had_ ? before_.c_str() : nullptr); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  void set(const char* value) {
    if (value != nullptr) setenv(name_, value, 1);
    if (value == nullptr) unsetenv(name_);
  }
  const char* name_;
  std::string before_;
  bool had_ = false;
};

TEST(TerminalColumns, AreWhatTheTerminalSays) {
  EXPECT_EQ(columns_on_terminal(132), 132U);
  EXPECT_EQ(columns_on_terminal(0), 80U);
}

TEST(TerminalColumns, AreTheUsualOnesWhereThereIsNoTerminal) {
  const int nowhere = open("/dev/null", O_WRONLY);
  EXPECT_EQ(columns_on(nowhere), 80U);
  close(nowhere);
}

TEST(EraseCodes, ALineThatFitsIsErasedWhereItIs) {
  EXPECT_EQ(erase_codes(79, 80, true), "\r\033[K");
  EXPECT_EQ(erase_codes(80, 80, true), "\r\033[K");
  EXPECT_EQ(erase_codes(0, 80, true), "\r\033[K");
}

TEST(EraseCodes, ALineThatANarrowerTerminalBrokeIsErasedWhole) {
  EXPECT_EQ(erase_codes(119, 80, true), "\r\033[1A\033[J");
  EXPECT_EQ(erase_codes(119, 30, true), "\r\033[3A\033[J");
}

TEST(EraseCodes, WhereLinesAreCutOffTheLinesAboveStay) { EXPECT_EQ(erase_codes(119, 80, false), "\r\033[K"); }

TEST(RewrapsLines, TheKindOfTheTerminalIsKnownFromTheEnvironment) {
  const Variable term("TERM", "xterm-256color"), version("XTERM_VERSION", nullptr), tmux("TMUX", nullptr);
  EXPECT_TRUE(rewraps_lines());
  {
    const Variable real("XTERM_VERSION", "XTerm(390)");
    EXPECT_FALSE(rewraps_lines());
  }
  const Variable screen("TERM", "screen-256color");
  EXPECT_FALSE(rewraps_lines());
  const Variable in_tmux("TMUX", "/tmp/tmux,1,0");
  EXPECT_TRUE(rewraps_lines());
  const Variable console("TERM", "linux");
  EXPECT_FALSE(rewraps_lines());
}

TEST(Characters, ACharacterOfSeveralBytesIsOne) { EXPECT_EQ(characters("a\u00e4\u4f60!"), 4U); }

}  // namespace
}  // namespace ventris::core
