#include "core/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace ventris::core {

size_t terminal_columns() {
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

size_t characters(std::string_view text) {
  const auto begins = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; };
  return static_cast<size_t>(std::ranges::count_if(text, begins));
}

bool rewraps_lines() {
  const char* name = std::getenv("TERM");
  const std::string_view term = name != nullptr ? name : "";
  const bool in_screen = term.starts_with("screen") && std::getenv("TMUX") == nullptr;
  return !in_screen && !term.starts_with("linux") && !term.starts_with("rxvt") &&
         std::getenv("XTERM_VERSION") == nullptr;
}

std::string erase_codes(size_t width, size_t columns, bool rewraps) {
  constexpr const char* kEraseLine = "\r\033[K";
  if (!rewraps || width <= columns || columns == 0) return kEraseLine;
  const size_t rows_above = (width - 1) / columns;
  return "\r\033[" + std::to_string(rows_above) + "A\033[J";
}

}  // namespace ventris::core
