#pragma once
#include <cstddef>

namespace ventris::core {

/// Columns of the terminal that stderr is; 80 if it is none, or does not say.
size_t terminal_columns();

}  // namespace ventris::core
