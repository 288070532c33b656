#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/document_text.h"

namespace ventris::formats {

/// How a text is written in YAML.
enum class YamlStyle { kPlain, kSingleQuoted, kDoubleQuoted, kLiteral, kFolded };

/// A text in a YAML file that is a value or an item of a list, not a key.
struct YamlScalar {
  ByteRange range;  ///< in the document: with its quotation marks, or from "|" to the end of its last line with text
  std::string text;  ///< without quotation marks and escapes
  YamlStyle style = YamlStyle::kPlain;
  bool in_flow = false;  ///< it is inside [] or {}
  int64_t line = 1;
  std::vector<std::string> path = {};  ///< the keys around it
};

/// The texts of a YAML file, also of several documents. Not those that are numbers, truth values, dates or null, in
/// YAML 1.1 or 1.2, and not those with a tag. Throws MarkupError, with the line, for a file that is not YAML.
std::vector<YamlScalar> read_yaml(std::string_view document);

/// The scalar with another text, as it is written in its place: in its style, or in double quotation marks if the text
/// cannot have it. `raw`: as it is written now.
std::string write_yaml(const YamlScalar& scalar, std::string_view raw, const std::string& text);

}  // namespace ventris::formats
