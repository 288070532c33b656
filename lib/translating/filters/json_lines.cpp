#include "filters/json_lines.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "core/error.h"
#include "core/json_shape.h"
#include "core/small_numbers.h"
#include "text/line_reader.h"
#include "text/valid_utf8.h"

namespace ventris::filters {
namespace {

using nlohmann::ordered_json;

constexpr size_t kMostPhraseBytes = 4 << 20;  // in a list; a search needs about 200 times as much
constexpr int kMostDepth = 64;
constexpr size_t kMostValues = 100'000;  // and keys; a parsed value needs up to 100 bytes
constexpr size_t kShown = 60;  // bytes of a line in a message

/// The places of the members in a valid JSON object: between the commas of its own level.
std::vector<std::string_view> members_of(std::string_view object) {
  std::vector<std::string_view> members;
  int depth = 0;
  bool quoted = false;
  size_t begin = object.find('{') + 1;
  for (size_t i = begin - 1; i < object.size(); ++i) {
    const char c = object[i];
    if (c == '\\' && quoted) {
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && (c == '{' || c == '[')) {
      ++depth;
    } else if (!quoted && ((c == ',' && depth == 1) || c == '}' || c == ']')) {
      depth -= c == ',' ? 0 : 1;
      if (depth > 1 || (depth == 1 && c != ',')) continue;
      members.push_back(object.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  return members;
}

std::string_view without_spaces(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

/// The key of a member: its first text.
std::string key_of(std::string_view member) {
  size_t end = 1;
  while (member[end] != '"') end += member[end] == '\\' ? 2 : 1;
  return nlohmann::json::parse(member.substr(0, end + 1)).get<std::string>();
}

/// The number of an escape \uXXXX at this place; empty if there is none.
std::optional<uint32_t> escaped_unit(std::string_view text, size_t at) {
  constexpr size_t kLength = 6;
  if (at + kLength > text.size() || text[at] != '\\' || text[at + 1] != 'u') return {};
  uint32_t unit = 0;
  const char* const begin = text.data() + at + 2;
  const auto [end, error] = std::from_chars(begin, begin + 4, unit, 16);
  return error == std::errc() && end == begin + 4 ? std::optional(unit) : std::nullopt;
}

/// Replaces each escape of half a surrogate pair by that of U+FFFD, because the parser refuses it, though the grammar
/// of JSON allows it (RFC 8259, section 8.2). Returns whether there was one.
bool replace_lone_surrogates(std::string& line) {
  bool replaced = false;
  for (size_t at = line.find('\\'); at != std::string::npos; at = line.find('\\', at)) {
    const auto unit = escaped_unit(line, at);
    const auto is_half = [](std::optional<uint32_t> code, uint32_t first) { return code && *code - first < 0x400; };
    const bool pair = is_half(unit, 0xD800) && is_half(escaped_unit(line, at + 6), 0xDC00);
    if (!pair && (is_half(unit, 0xD800) || is_half(unit, 0xDC00))) {
      line.replace(at, 6, "\\uFFFD");
      replaced = true;
    }
    at += pair ? 12 : unit ? 6 : 2;
  }
  return replaced;
}

/// The beginning of a value, for messages.
std::string shown(const nlohmann::json& value) {
  return std::string(text::cut_utf8(value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace), kShown));
}

nlohmann::json parse_object(const std::string& line, const std::string& where) {
  const std::string checked = core::with_small_numbers(line);
  const core::JsonShape shape = core::shape_of_json(checked, kMostDepth, kMostValues);
  if (shape.too_deep) fail<DataError>(where, ": nested deeper than ", kMostDepth, " levels");
  if (shape.too_many) fail<DataError>(where, ": expected at most ", kMostValues, " keys and values in one line");
  const auto refuse = [&where](size_t byte) {
    fail<DataError>(where, ": not valid JSON at byte ", byte, "; expected one object {\"text\": ...} per line");
  };
  nlohmann::json parsed;
  if (shape.zero_byte) refuse(*shape.zero_byte + 1);
  try {
    parsed = nlohmann::json::parse(checked);
  } catch (const nlohmann::json::parse_error& error) {
    refuse(error.byte);
  }
  if (!parsed.is_object()) {
    fail<DataError>(where, ": expected a JSON object {\"text\": ...}, got ", text::cut_utf8(line, kShown));
  }
  if (shape.repeated_key) fail<DataError>(where, ": '", *shape.repeated_key, "' occurs twice in one object");
  return parsed;
}

/// The texts of a list, without line ends; none if it is missing. (A blank one would be in every translation.)
std::vector<std::string> texts_of(const nlohmann::json& object, const char* key, const std::string& where) {
  std::vector<std::string> texts;
  if (!object.contains(key)) return texts;
  const nlohmann::json& list = object.at(key);
  if (!list.is_array()) fail<DataError>(where, ": expected a list of texts under \"", key, "\", got ", shown(list));
  size_t bytes = 0;
  for (const nlohmann::json& item : list) {
    if (!item.is_string()) fail<DataError>(where, ": expected texts in the list \"", key, "\", got ", shown(item));
    texts.push_back(item.get<std::string>());
    bytes += texts.back().size();
    if (bytes > kMostPhraseBytes) {
      fail<DataError>(where, ": the texts in the list \"", key, "\" have more than ", kMostPhraseBytes >> 20, " MiB");
    }
    text::remove_line_ends(texts.back());
    if (text::is_blank(texts.back())) fail<DataError>(where, ": a text in the list \"", key, "\" is blank");
  }
  return texts;
}

/// A text without line ends; empty if it is missing.
std::string text_of(const nlohmann::json& object, const char* key, const std::string& where) {
  if (!object.contains(key)) return "";
  const nlohmann::json& value = object.at(key);
  if (!value.is_string()) fail<DataError>(where, ": expected a text under \"", key, "\", got ", shown(value));
  return value.get<std::string>();
}

}  // namespace

ordered_json rounded(double value) {
  constexpr double kParts = 1e6;
  if (!std::isfinite(value)) return nullptr;
  return std::round(value * kParts) / kParts;
}

ordered_json rounded(const std::vector<float>& values) {
  ordered_json list = ordered_json::array();
  for (const float value : values) list.push_back(rounded(static_cast<double>(value)));
  return list;
}

std::string to_line(const ordered_json& json) {
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

JsonLine JsonLine::parse(const std::string& written, const std::string& where, const JsonFields& fields, LineEnds ends,
                         size_t longest) {
  std::string line = written;
  const bool replaced = replace_lone_surrogates(line);
  const nlohmann::json object = parse_object(line, where);
  const auto text = object.find("text");
  if (text == object.end() || !text->is_string()) {
    fail<DataError>(where, ": expected the text to translate under \"text\", ",
                    text == object.end() ? "which is missing" : "which is not a text");
  }
  JsonLine parsed;
  parsed.replaced = replaced;
  parsed.text = text->get<std::string>();
  const size_t kept = text::cut_utf8(parsed.text, longest).size();
  parsed.cut = kept < parsed.text.size();
  parsed.text.resize(kept);
  if (ends == LineEnds::kSpaces) {
    text::remove_line_ends(parsed.text);
  } else {
    parsed.text = text::with_line_feeds(parsed.text);
  }
  parsed.has_id = object.contains("id");
  if (fields.phrases) {
    parsed.phrases = {texts_of(object, "constraints", where), texts_of(object, "forbidden", where)};
  }
  if (fields.languages) {
    parsed.source_language = text_of(object, "source_language", where);
    parsed.target_language = text_of(object, "target_language", where);
  }
  if (fields.context) parsed.context = texts_of(object, "context", where);
  for (const std::string_view member : members_of(line)) {
    const std::string_view bare = without_spaces(member);
    parsed.members.emplace_back(key_of(bare), bare);
  }
  return parsed;
}

std::string JsonLine::with(const ordered_json& added) const {
  std::string line = "{";
  for (const auto& [key, member] : members) {
    if (!added.contains(key)) line += (line.size() > 1 ? "," : "") + member;
  }
  const std::string ours = to_line(added);  // "{...}", never empty
  return line + (line.size() > 1 ? "," : "") + ours.substr(1);
}

}  // namespace ventris::filters
