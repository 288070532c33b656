#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

/// JSON objects, a line each.
namespace ventris::filters {

/// A number to six digits after the point, which is as exact as scores are; null if it is not finite.
nlohmann::ordered_json rounded(double value);
nlohmann::ordered_json rounded(const std::vector<float>& values);

/// One line without its line end; bytes that are no text become U+FFFD.
std::string to_line(const nlohmann::ordered_json& json);

/// A line of input: its text, and everything it says as it was written.
struct JsonLine {
  std::string text;  ///< the value of "text", cut as a long line is; line ends in it are spaces
  bool cut = false;   ///< it was longer than that
  bool has_id = false;
  std::vector<std::pair<std::string, std::string>> members;  ///< key, and `"key": value` as it stands in the line

  /// Throws DataError beginning with `where` for what is no JSON object with a "text".
  static JsonLine parse(const std::string& line, const std::string& where);

  /// The members, those that `added` has a value for left out, then `added`.
  std::string with(const nlohmann::ordered_json& added) const;
};

}  // namespace ventris::filters
