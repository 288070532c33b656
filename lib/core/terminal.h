#pragma once
#include <cstddef>

namespace ventris::core {

/// The width of the terminal on stderr in columns; 80 if stderr is not a terminal or its width is unknown.
size_t terminal_columns();

}  // namespace ventris::core
