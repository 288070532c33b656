#pragma once
#include <string>

#include "support/command_summary.h"

namespace ventris::apps {

/// A program's manual page for section 1, in the man macros of roff. `examples` has one command per line.
std::string man_page(const CommandSummary& program, const std::string& examples);

}  // namespace ventris::apps
