#pragma once
#include <memory>
#include <string>

#include "core/progress.h"

namespace ventris::translation {

/// A progress line for work on each line of `input`, or null where it would stand in somebody's way or have no length:
/// nobody watches, the results are on the terminal too, or the input is no file. `task`: "translating".
std::unique_ptr<core::Progress> file_progress(const std::string& task, const std::string& input,
                                              const std::string& output);

}  // namespace ventris::translation
