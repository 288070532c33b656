#include "files/output_name.h"

#include <filesystem>

#include "core/error.h"

namespace ventris::files {

void check_is_no_input(const std::string& output, const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs) {
    std::error_code error;
    if (input.empty() || input == "-" || output == "-") continue;
    if (!std::filesystem::equivalent(input, output, error) || !std::filesystem::is_regular_file(input, error)) continue;
    fail<ConfigError>("output: ", output, " is also an input (", input,
                      "), which would be replaced; give it another name");
  }
}

}  // namespace ventris::files
