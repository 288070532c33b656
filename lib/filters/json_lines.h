#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

/// JSON objects, one per line.
namespace ventris::filters {

/// A number with six digits after the decimal point, as exact as scores are; null if it is not finite.
nlohmann::ordered_json rounded(double value);
nlohmann::ordered_json rounded(const std::vector<float>& values);

/// One line without its line end; invalid UTF-8 becomes U+FFFD.
std::string to_line(const nlohmann::ordered_json& json);

/// A line of input: its text, and all members as they were written.
struct JsonLine {
  std::string text;  ///< the value of "text", cut like a long line, with spaces instead of line ends
  bool cut = false;   ///< whether the text was cut
  bool has_id = false;
  std::vector<std::pair<std::string, std::string>> members;  ///< key, and `"key": value` as in the line

  /// Throws DataError, beginning with `where`, unless the line is a JSON object with a "text".
  static JsonLine parse(const std::string& line, const std::string& where);

  /// The members, except those for which `added` has a value, then `added`.
  std::string with(const nlohmann::ordered_json& added) const;
};

}  // namespace ventris::filters
