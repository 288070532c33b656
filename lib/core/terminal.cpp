#include "core/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

namespace ventris::core {

size_t terminal_columns() {
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

}  // namespace ventris::core
