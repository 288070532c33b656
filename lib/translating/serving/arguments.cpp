#include "serving/arguments.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "core/ascii.h"
#include "core/suggest.h"
#include "serving/form.h"
#include "serving/json_body.h"
#include "serving/multipart.h"
#include "text/valid_utf8.h"

namespace ventris::serving {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw RequestError(400, "Invalid request: " + why); }

/// Fields as JSON: a text, or a list of texts if a name occurs several times.
void add_fields(const Fields& fields, nlohmann::json& values) {
  nlohmann::json added = nlohmann::json::object();
  for (const auto& [key, value] : fields) {
    check_utf8("", key);
    check_utf8(key, value);
    nlohmann::json& place = added[key];
    if (place.is_null()) {
      place = value;
    } else {
      if (!place.is_array()) place = nlohmann::json::array({place});
      place.push_back(value);
    }
  }
  for (auto& [key, value] : added.items()) {
    if (!values.contains(key)) values[key] = std::move(value);
  }
}

std::optional<int64_t> number_of(const nlohmann::json& value) {
  if (value.is_number_integer() || value.is_number_unsigned()) {
    const bool large = value.is_number_unsigned() && value.get<uint64_t>() > INT64_MAX;
    return large ? std::nullopt : std::optional(value.get<int64_t>());
  }
  if (value.is_number_float()) {  // 3.0, as some clients write 3
    const double number = value.get<double>();
    constexpr double kExact = 1LL << 53;
    const bool whole = number == std::floor(number) && std::abs(number) <= kExact;
    return whole ? std::optional(static_cast<int64_t>(number)) : std::nullopt;
  }
  if (!value.is_string()) return {};
  const auto& text = value.get_ref<const std::string&>();
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

std::vector<std::string> list_of(const nlohmann::json& value, const std::string& key) {
  std::vector<std::string> texts;
  for (const nlohmann::json& item : value) {
    if (!item.is_string()) refuse(key + " parameter must be a text or a list of texts");
    texts.push_back(item.get<std::string>());
  }
  return texts;
}

}  // namespace

void check_utf8(const std::string& key, const std::string& text) {
  if (!text::is_valid_utf8(text))
    refuse("a parameter is not valid UTF-8" + (key.empty() ? "" : ": " + key) + "; convert it (iconv)");
}

int64_t characters_of(const std::string& text) {
  return std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
}

Arguments::Arguments(const HttpRequest& request) {
  const size_t first = request.body.find_first_not_of(" \t\r\n");
  const bool object = first != std::string::npos && request.body[first] == '{';
  const std::string type = core::in_lower_case(request.content_type);
  if (type.starts_with("application/json") || object) {
    values_ = parse_json_body(request.body);
  } else if (type.empty() || type.starts_with("application/x-www-form-urlencoded")) {
    add_fields(parse_form(request.body), values_);
  } else if (type.starts_with("multipart/form-data")) {
    Fields fields;
    for (FormPart& part : parse_multipart(request.body, request.content_type)) {
      fields.emplace_back(std::move(part.name), std::move(part.content));
    }
    add_fields(fields, values_);
  } else if (!request.body.empty()) {
    throw RequestError(415, "Unsupported type of the body; send application/json or a form");
  }
  add_fields(request.query, values_);
}

bool Arguments::has(const std::string& key) const { return values_.contains(key) && !values_.at(key).is_null(); }

std::string Arguments::text(const std::string& key, const std::string& otherwise) const {
  if (!has(key)) return otherwise;
  if (!values_.at(key).is_string()) refuse(key + " parameter must be a text");
  return values_.at(key).get<std::string>();
}

std::string Arguments::required_text(const std::string& key) const {
  if (!has(key)) refuse("missing " + key + " parameter");
  return text(key);
}

std::vector<std::string> Arguments::required_texts(const std::string& key, bool& several) const {
  if (!has(key)) refuse("missing " + key + " parameter");
  several = values_.at(key).is_array();
  if (several) return list_of(values_.at(key), key);
  if (!values_.at(key).is_string()) refuse(key + " parameter must be a text or a list of texts");
  return {values_.at(key).get<std::string>()};
}

std::vector<std::string> Arguments::texts(const std::string& key) const {
  if (!has(key)) return {};
  bool several = false;
  return required_texts(key, several);
}

int64_t Arguments::number(const std::string& key, int64_t otherwise) const {
  if (!has(key)) return otherwise;
  const auto number = number_of(values_.at(key));
  if (!number) refuse(key + " parameter is not a number");
  return *number;
}

bool Arguments::flag(const std::string& key, bool otherwise) const {
  if (!has(key)) return otherwise;
  const nlohmann::json& value = values_.at(key);
  if (value.is_boolean()) return value.get<bool>();
  if (value == "true" || value == "1") return true;
  if (value == "false" || value == "0") return false;
  refuse(key + " parameter must be true or false");
}

void Arguments::expect_only(const std::vector<std::string>& known) const {
  for (const auto& [key, unused] : values_.items()) {
    if (std::ranges::find(known, key) != known.end()) continue;
    refuse("unknown parameter '" + key + "'" + core::did_you_mean(key, known));
  }
}

}  // namespace ventris::serving
