#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ventris::files {

/// Reads a file and parses it as core::parse_json does. Throws ConfigError with the reason if it cannot be read.
nlohmann::json read_json_file(const std::string& path);

}  // namespace ventris::files
