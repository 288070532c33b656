#include "imports/config_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/json_reader.h"
#include "core/utf8.h"
#include "files/files.h"
#include "files/paths.h"

namespace ventris::imports {
namespace {

using nlohmann::json;

std::string bytes_of(const std::string& path) {
  if (!files::exists(path)) fail<ModelError>(path, ": does not exist");
  try {
    return files::read_plain_file(path);
  } catch (const DataError& error) {
    fail<ModelError>(error.what());
  }
}

std::unique_ptr<const json> parsed(const std::string& bytes, const std::string& path) {
  try {
    auto found = std::make_unique<const json>(core::parse_json(bytes, path));
    if (!found->is_object()) fail<ModelError>(path, ": expected a JSON object");
    return found;
  } catch (const ConfigError& error) {
    fail<ModelError>(error.what());
  }
}

}  // namespace

ConfigFile::ConfigFile(const std::string& path) : ConfigFile(bytes_of(path), path) {}
ConfigFile::ConfigFile(const std::string& bytes, const std::string& path) : path_(path), json_(parsed(bytes, path)) {}
ConfigFile::ConfigFile(const json& settings, const std::string& path)
    : path_(path), json_(std::make_unique<const json>(settings)) {
  if (!json_->is_object()) fail<ModelError>(path, ": expected settings with names, found ", json_->type_name());
}
ConfigFile::~ConfigFile() = default;
ConfigFile::ConfigFile(ConfigFile&&) noexcept = default;

const json* ConfigFile::find(const std::string& key) const {
  const auto found = json_->find(key);
  return found == json_->end() || found->is_null() ? nullptr : &*found;
}

void ConfigFile::refuse(const std::string& key, const std::string& expected) const {
  const json* value = find(key);
  const std::string found = value == nullptr ? "none" : value->dump(-1, ' ', false, json::error_handler_t::replace);
  fail<ModelError>(path_, ": ", prefix_, key, ": expected ", expected, ", found ", core::cut_utf8(found, 60));
}

bool ConfigFile::contains(const std::string& key) const { return find(key) != nullptr; }

int64_t ConfigFile::integer(const std::string& key, int64_t missing, int64_t least, int64_t most) const {
  const json* value = find(key);
  if (value == nullptr) return missing;
  const bool too_large = value->is_number_unsigned() && value->get<uint64_t>() > INT64_MAX;
  const bool whole = value->is_number_integer() && !too_large;
  if (!whole || value->get<int64_t>() < least) refuse(key, "a whole number of at least " + std::to_string(least));
  if (value->get<int64_t>() > most) refuse(key, "a whole number of at most " + std::to_string(most));
  return value->get<int64_t>();
}

double ConfigFile::number(const std::string& key, double missing) const {
  const json* value = find(key);
  if (value == nullptr) return missing;
  if (!value->is_number()) refuse(key, "a number");
  return value->get<double>();
}

double ConfigFile::first_number(const std::string& key, double missing) const {
  const json* value = find(key);
  if (value != nullptr && value->is_array() && !value->empty()) value = &value->front();
  return value != nullptr && value->is_number() ? value->get<double>() : missing;
}

bool ConfigFile::flag(const std::string& key, bool missing) const {
  const json* value = find(key);
  if (value == nullptr) return missing;
  if (!value->is_boolean()) refuse(key, "true or false");
  return value->get<bool>();
}

std::string ConfigFile::text(const std::string& key, const std::string& missing) const {
  const json* value = find(key);
  if (value == nullptr) return missing;
  if (!value->is_string()) refuse(key, "a text");
  return value->get<std::string>();
}

std::vector<std::string> ConfigFile::texts(const std::string& key) const {
  const json* value = find(key);
  if (value == nullptr) return {};
  const bool fits = value->is_array() && std::ranges::all_of(*value, [](const json& one) { return one.is_string(); });
  if (!fits) refuse(key, "a list of texts");
  return value->get<std::vector<std::string>>();
}

bool ConfigFile::has_section(const std::string& key) const {
  const json* value = find(key);
  return value != nullptr && value->is_object();
}

ConfigFile ConfigFile::section(const std::string& key) const {
  const json* value = find(key);
  if (value != nullptr && !value->is_object()) refuse(key, "settings with names");
  return section_or_empty(key);
}

ConfigFile ConfigFile::section_or_empty(const std::string& key) const {
  ConfigFile found(has_section(key) ? *find(key) : json::object(), path_);
  found.prefix_ = prefix_ + key + ".";
  return found;
}

int64_t ConfigFile::required(const std::string& key, int64_t least, int64_t most) const {
  if (find(key) == nullptr) fail<ModelError>(path_, ": ", prefix_, key, ": is missing");
  return integer(key, 0, least, most);
}

void ConfigFile::expect_flag(const std::string& key, bool value, const std::string& otherwise) const {
  if (flag(key, value) == value) return;
  fail<ModelError>(path_, ": ", prefix_, key, ": expected ", value ? "true" : "false", ", found ",
                   value ? "false" : "true", "; ", otherwise);
}

}  // namespace ventris::imports
