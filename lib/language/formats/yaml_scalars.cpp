#include "formats/yaml_scalars.h"

#include <fmt/format.h>
#include <yaml.h>

#include <algorithm>
#include <array>
#include <memory>
#include <regex>
#include <utility>

#include "markup/markup.h"
#include "markup/parsing_limits.h"
#include "markup/text_cursor.h"

namespace ventris::formats {
namespace {

using markup::MarkupError;

/// Whether a plain scalar is something else than a text.
bool is_no_text(const std::string& plain) {
  constexpr size_t kLongest = 64;  // of numbers and dates
  static const std::regex kOther(
      "~|null|Null|NULL|true|True|TRUE|false|False|FALSE|yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF|y|Y|n|N|<<|="
      "|[-+]?(0x[0-9a-fA-F_]+|0o?[0-7_]+|0b[01_]+|[0-9][0-9_]*(:[0-5]?[0-9])*)(\\.[0-9_]*)?([eE][-+]?[0-9]+)?"
      "|[-+]?\\.[0-9_]+([eE][-+]?[0-9]+)?|[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)"
      "|[0-9]{4}-[0-9][0-9]?-[0-9][0-9]?([Tt ].*)?");
  return plain.empty() || (plain.size() <= kLongest && std::regex_match(plain, kOther));
}

/// Turns numbers of characters, as libyaml counts them, into bytes.
class ByteCounter {
 public:
  explicit ByteCounter(std::string_view document) : document_(document) {}
  /// `characters`: not before that of the last call.
  size_t byte_of(size_t characters) {
    for (; done_ < characters && at_ < document_.size(); ++done_) markup::next_character(document_, at_);
    return at_;
  }

 private:
  std::string_view document_;
  size_t at_ = 0, done_ = 0;
};

struct DeleteParser {
  void operator()(yaml_parser_t* parser) const {
    yaml_parser_delete(parser);
    delete parser;
  }
};

/// A list or mapping that has begun.
struct YamlLevel {
  bool is_mapping = false, is_flow = false;
  bool expects_key = false;
};

class YamlReader {
 public:
  explicit YamlReader(std::string_view document)
      : document_(document), limits_(document), bytes_(document), parser_(new yaml_parser_t) {
    if (yaml_parser_initialize(parser_.get()) == 0) throw std::bad_alloc();
    yaml_parser_set_encoding(parser_.get(), YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(parser_.get(), reinterpret_cast<const unsigned char*>(document.data()),
                                 document.size());
  }

  std::vector<YamlScalar> read() {
    for (bool more = true; more;) {
      yaml_event_t event;
      if (yaml_parser_parse(parser_.get(), &event) == 0) refuse();
      const std::unique_ptr<yaml_event_t, void (*)(yaml_event_t*)> owner(&event, yaml_event_delete);
      more = event.type != YAML_STREAM_END_EVENT;
      take(event);
    }
    return std::move(scalars_);
  }

 private:
  [[noreturn]] void refuse() const {
    const std::string problem = parser_->problem == nullptr ? "it cannot be read" : parser_->problem;
    fail<MarkupError>("line ", parser_->problem_mark.line + 1, ": is no YAML: ", problem);
  }

  void take(const yaml_event_t& event) {
    switch (event.type) {
      case YAML_MAPPING_START_EVENT:
        open({true, event.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE, true}, event.start_mark);
        break;
      case YAML_SEQUENCE_START_EVENT:
        open({false, event.data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE, false}, event.start_mark);
        break;
      case YAML_MAPPING_END_EVENT: path_.pop_back(); [[fallthrough]];
      case YAML_SEQUENCE_END_EVENT:
        levels_.pop_back();
        finish_value();
        break;
      case YAML_ALIAS_EVENT: take_key(""); break;
      case YAML_SCALAR_EVENT: take_scalar(event); break;
      default: break;
    }
  }
  void open(YamlLevel level, const yaml_mark_t& mark) {
    limits_.count(0);
    if (levels_.size() >= static_cast<size_t>(markup::kDeepestNesting)) {
      markup::fail_nesting(static_cast<int64_t>(mark.line) + 1, "mappings and lists");
    }
    level.is_flow = level.is_flow || (!levels_.empty() && levels_.back().is_flow);
    levels_.push_back(level);
    if (level.is_mapping) path_.emplace_back();
  }
  bool is_key() const { return !levels_.empty() && levels_.back().is_mapping && levels_.back().expects_key; }
  /// A key or value of a mapping has ended.
  void finish_value() {
    if (!levels_.empty() && levels_.back().is_mapping) levels_.back().expects_key = !levels_.back().expects_key;
  }
  void take_key(std::string name) {
    if (is_key()) path_.back() = std::move(name);
    finish_value();
  }

  void take_scalar(const yaml_event_t& event) {
    const auto& scalar = event.data.scalar;
    limits_.count(0);
    std::string text(reinterpret_cast<const char*>(scalar.value), scalar.length);
    if (is_key()) return take_key(std::move(text));
    const bool plain = scalar.style == YAML_PLAIN_SCALAR_STYLE;
    const bool tagged = scalar.tag != nullptr && std::string_view(reinterpret_cast<const char*>(scalar.tag)) != "!";
    if (!tagged && !(plain && is_no_text(text))) add(event, std::move(text));
    finish_value();
  }
  void add(const yaml_event_t& event, std::string text) {
    YamlScalar added{{}, std::move(text), style_of(event.data.scalar.style)};
    added.in_flow = !levels_.empty() && levels_.back().is_flow;
    added.line = static_cast<int64_t>(event.start_mark.line) + 1;
    added.path = path_;
    size_t begin = bytes_.byte_of(event.start_mark.index);
    if (event.data.scalar.anchor != nullptr) {  // "&name" in front of it
      begin = std::min(document_.find_first_of(" \t\r\n", begin), document_.size());
      begin = std::min(document_.find_first_not_of(" \t\r\n", begin), document_.size());
    }
    size_t end = bytes_.byte_of(event.end_mark.index);
    if (added.style == YamlStyle::kLiteral || added.style == YamlStyle::kFolded || added.style == YamlStyle::kPlain) {
      while (end > begin && std::string_view(" \t\r\n").find(document_[end - 1]) != std::string_view::npos) --end;
    }
    added.range = {begin, end};
    scalars_.push_back(std::move(added));
  }
  static YamlStyle style_of(yaml_scalar_style_t style) {
    switch (style) {
      case YAML_SINGLE_QUOTED_SCALAR_STYLE: return YamlStyle::kSingleQuoted;
      case YAML_DOUBLE_QUOTED_SCALAR_STYLE: return YamlStyle::kDoubleQuoted;
      case YAML_LITERAL_SCALAR_STYLE: return YamlStyle::kLiteral;
      case YAML_FOLDED_SCALAR_STYLE: return YamlStyle::kFolded;
      default: return YamlStyle::kPlain;
    }
  }

  std::string_view document_;
  markup::ParsingLimits limits_;
  ByteCounter bytes_;
  std::unique_ptr<yaml_parser_t, DeleteParser> parser_;
  std::vector<YamlLevel> levels_;
  std::vector<std::string> path_;  // of the mappings that have begun
  std::vector<YamlScalar> scalars_;
};

bool has_controls(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const UChar32 c = markup::next_character(text, at);
    if (c < 0x20 || (c >= 0x7F && c <= 0xA0) || c == 0x2028 || c == 0x2029 || c == 0xFEFF) return true;
  }
  return false;
}

std::string double_quoted(std::string_view text) {
  std::string written = "\"";
  for (size_t at = 0; at < text.size();) {
    const size_t begin = at;
    const UChar32 c = markup::next_character(text, at);
    if (c == '"' || c == '\\') {
      written += {'\\', static_cast<char>(c)};
    } else if (c == '\n') {
      written += "\\n";
    } else if (c == '\t') {
      written += "\\t";
    } else if (has_controls(text.substr(begin, at - begin))) {
      written += fmt::format("\\u{:04X}", c);
    } else {
      written += text.substr(begin, at - begin);
    }
  }
  return written + "\"";
}

std::string single_quoted(std::string_view text) {
  std::string written = "'";
  for (const char c : text) written += c == '\'' ? "''" : std::string(1, c);
  return written + "'";
}

/// Whether the text can stand without quotation marks.
bool can_be_plain(const std::string& text, bool in_flow) {
  if (is_no_text(text) || has_controls(text) || text.front() == ' ' || text.back() == ' ' || text.back() == ':') {
    return false;
  }
  if (std::string_view("-?:,[]{}#&*!|>'\"%@`").find(text.front()) != std::string_view::npos) return false;
  if (text.starts_with("---") || text.starts_with("...") || text.find(": ") != std::string::npos ||
      text.find(" #") != std::string::npos) {
    return false;
  }
  return !in_flow || text.find_first_of(",[]{}:?") == std::string::npos;
}

/// The lines of a text between line feeds, without those at its end.
std::vector<std::string_view> text_lines(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  std::vector<std::string_view> lines;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

/// A text behind "|" or ">", whose first line, with the signs, stays. Nothing if the style cannot have it.
std::optional<std::string> block_text(const YamlScalar& scalar, std::string_view raw, const std::string& text) {
  const std::vector<ByteRange> lines = lines_of(raw);
  const std::vector<std::string_view> texts = text_lines(text);
  size_t margin = 0;  // of the text, in bytes
  for (size_t i = 1; i < lines.size() && margin == 0; ++i) {
    const std::string_view line = part_of(raw, lines[i]);
    margin = line.find_first_not_of(' ') == std::string_view::npos ? 0 : line.find_first_not_of(' ');
  }
  const bool has_number = part_of(raw, lines.front()).substr(0, 3).find_first_of("123456789") != std::string_view::npos;
  const bool folded = scalar.style == YamlStyle::kFolded;
  if (margin == 0 || has_number) return {};
  const std::string_view end = line_end_of(raw);
  std::string written(part_of(raw, lines.front()));
  for (size_t i = 0; i < texts.size(); ++i) {
    if (has_controls(texts[i]) || (folded && texts[i].starts_with(' '))) return {};
    if (i == 0 && (texts[i].empty() || texts[i].starts_with(' '))) return {};
    written += end;
    if (folded && i > 0 && !texts[i].empty() && !texts[i - 1].empty()) written += end;
    if (!texts[i].empty()) written.append(margin, ' ').append(texts[i]);
    if (folded && texts[i].empty()) written += i > 0 && !texts[i - 1].empty() ? end : "";
  }
  return written;
}

}  // namespace

std::vector<YamlScalar> read_yaml(std::string_view document) {
  // libyaml would count the mark as a column of the first line.
  const size_t mark = size_of_byte_order_mark(document);
  std::vector<YamlScalar> scalars = YamlReader(document.substr(mark)).read();
  for (YamlScalar& scalar : scalars) scalar.range = {scalar.range.begin + mark, scalar.range.end + mark};
  return scalars;
}

std::string write_yaml(const YamlScalar& scalar, std::string_view raw, const std::string& text) {
  switch (scalar.style) {
    case YamlStyle::kPlain:
      if (can_be_plain(text, scalar.in_flow)) return text;
      break;
    case YamlStyle::kSingleQuoted:
      if (!has_controls(text)) return single_quoted(text);
      break;
    case YamlStyle::kLiteral:
    case YamlStyle::kFolded:
      if (auto written = block_text(scalar, raw, text)) return *written;
      break;
    case YamlStyle::kDoubleQuoted: break;
  }
  return double_quoted(text);
}

}  // namespace ventris::formats
