#pragma once
#include <nlohmann/json.hpp>
#include <string>

/// Settings between Python and the library. JSON has no bytes, but a path may have any: such a text is an object
/// {"bytes": "ff61"} with hexadecimal numbers.
namespace ventris::python {

/// Reads a JSON object. Throws ConfigError for anything else.
nlohmann::json read_settings(const std::string& text);

/// Writes it again.
std::string write_settings(const nlohmann::json& settings);

}  // namespace ventris::python
