#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace ventris::core {

/// The width of the terminal on stderr in columns; 80 if stderr is not a terminal or its width is unknown.
size_t terminal_columns();

/// The characters of a text without the bytes of UTF-8 that continue one; each is taken to be one column wide.
size_t characters(std::string_view text);

/// Whether the terminal breaks a line into several when it becomes too narrow for it, as most do; some cut it off
/// instead. Known from TERM and the environment variables of some terminals.
bool rewraps_lines();

/// The codes that erase a line of `width` characters, of which the cursor is at the end, on a terminal that may have
/// become narrower since: it has `columns` now.
std::string erase_codes(size_t width, size_t columns, bool rewraps);

}  // namespace ventris::core
