#pragma once
#include <string>
#include <vector>

namespace ventris::files {

/// Throws ConfigError if `output` is one of the inputs (files or folders), under whatever name: it would replace what
/// was read. "-" is standard output or input, which may be a file, too. Devices and pipes may be both.
void check_is_no_input(const std::string& output, const std::vector<std::string>& inputs);

}  // namespace ventris::files
