#pragma once
#include <CLI/CLI.hpp>

namespace ventris::apps {

/// Makes every flag of the program and its commands refuse values that the parser would misread: whole numbers that are
/// too large (the parser would take the largest possible one), negative where only positive ones are allowed, octal or
/// hexadecimal, and empty paths, which come from unset variables in scripts. "007" is 7. Call this after all flags have
/// been added.
void check_flag_values(CLI::App& app);

}  // namespace ventris::apps
