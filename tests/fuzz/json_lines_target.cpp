#include <nlohmann/json.hpp>

#include "filters/json_lines.h"
#include "fuzz/targets.h"
#include "text/valid_utf8.h"

/// JSON lines of ventris-translate.
namespace ventris::fuzz {
namespace {

void read_json_lines(std::string_view input) {
  const std::string line(input.substr(0, input.find('\n')));
  for (const auto ends : {filters::LineEnds::kSpaces, filters::LineEnds::kKept}) {
    const auto read = filters::JsonLine::parse(line, "line 1", {.phrases = true, .languages = true}, ends, 1000);
    require(read.text.size() <= 1000 && text::is_valid_utf8(read.text), "a text is UTF-8 and not too long");
    require(ends == filters::LineEnds::kKept || read.text.find('\n') == std::string::npos, "a text is one line");
    const std::string written = read.with({{"translation", "x"}, {"text", "y"}});
    require(nlohmann::json::parse(written).at("translation") == "x", "what is written is JSON");
  }
}

const Registration kJsonLines("json_lines", read_json_lines);

}  // namespace
}  // namespace ventris::fuzz
