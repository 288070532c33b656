#include "files/output_name.h"

#include <filesystem>

#include "core/error.h"

namespace ventris::files {

void check_is_no_input(const std::string& output, const std::vector<std::string>& inputs) {
  const bool standard_output = output == "-";
  for (const std::string& input : inputs) {
    const bool standard_input = input == "-";
    if (input.empty()) continue;
    const std::string read = standard_input ? "/dev/stdin" : input, written = standard_output ? "/dev/stdout" : output;
    std::error_code error;
    if (!std::filesystem::equivalent(read, written, error)) continue;
    if (!std::filesystem::is_regular_file(read, error) && !std::filesystem::is_directory(read, error)) continue;
    fail<ConfigError>("output: ", standard_output ? "standard output" : output, " is also an input (",
                      standard_input ? "standard input" : input, "), which would be replaced; give it another name");
  }
}

}  // namespace ventris::files
