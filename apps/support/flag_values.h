#pragma once
#include <CLI/CLI.hpp>

namespace ventris::apps {

/// Makes every flag of the program and its commands refuse what the parser would take for something else: a whole
/// number that is too large (it would become the largest there is), negative where that cannot be, or written as an
/// octal or hexadecimal one, and an empty path, as an unset variable of a script leaves behind. "007" is 7. Call when
/// all flags are there.
void check_flag_values(CLI::App& app);

}  // namespace ventris::apps
