#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "phrases/wishes.h"
#include "text/line_reader.h"

/// JSON objects, one per line.
namespace ventris::filters {

/// A number with six digits after the decimal point, as exact as scores are; null if it is not finite.
nlohmann::ordered_json rounded(double value);
nlohmann::ordered_json rounded(const std::vector<float>& values);

/// One line without its line end; invalid UTF-8 becomes U+FFFD.
std::string to_line(const nlohmann::ordered_json& json);

/// What is read of a line besides its text; all may be missing. All other members are only copied.
struct JsonFields {
  bool phrases = false;    ///< "constraints" and "forbidden", lists of texts
  bool languages = false;  ///< "source_language" and "target_language", texts
  bool context = false;    ///< "context", a list of the sentences before the text
};

/// What becomes of the line ends in a text.
enum class LineEnds {
  kSpaces,  ///< spaces, because a text is a line
  kKept     ///< they stay, because a text is a document; CR LF becomes LF
};

/// A line of input: its text, and all members as they were written.
struct JsonLine {
  std::string text;  ///< the value of "text", cut if it is too long; see LineEnds
  bool cut = false;   ///< whether the text was cut
  bool replaced = false;  ///< whether it had half a surrogate pair (\ud800), which became U+FFFD
  bool has_id = false;
  phrases::WishedPhrases phrases;
  std::string source_language, target_language;
  std::vector<std::string> context;
  std::vector<std::pair<std::string, std::string>> members;  ///< key, and `"key": value` as in the line

  /// Throws DataError, beginning with `where`, unless the line is a JSON object with a "text", and if the other fields
  /// are not what they should be. `longest`: of a text, in bytes.
  static JsonLine parse(const std::string& written, const std::string& where, const JsonFields& fields = {},
                        LineEnds ends = LineEnds::kSpaces, size_t longest = text::LineReaderOptions().max_bytes);

  /// The members, except those for which `added` has a value, then `added`.
  std::string with(const nlohmann::ordered_json& added) const;
};

}  // namespace ventris::filters
