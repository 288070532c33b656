#include "imports/config_file.h"

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
ConfigFile::~ConfigFile() = default;
ConfigFile::ConfigFile(ConfigFile&&) noexcept = default;

const json* ConfigFile::find(const std::string& key) const {
  const auto found = json_->find(key);
  return found == json_->end() || found->is_null() ? nullptr : &*found;
}

void ConfigFile::wrong(const std::string& key, const std::string& expected) const {
  fail<ModelError>(path_, ": ", key, ": expected ", expected, ", found ",
                   core::cut_utf8(find(key)->dump(-1, ' ', false, json::error_handler_t::replace), 60));
}

bool ConfigFile::contains(const std::string& key) const { return find(key) != nullptr; }

int64_t ConfigFile::integer(const std::string& key, int64_t missing, int64_t least, int64_t most) const {
  const json* value = find(key);
  if (value == nullptr) return missing;
  const bool whole = value->is_number_integer() && value->is_number_unsigned() == (value->get<int64_t>() >= 0);
  if (!whole || value->get<int64_t>() < least) wrong(key, "a whole number of at least " + std::to_string(least));
  if (value->get<int64_t>() > most) wrong(key, "a whole number of at most " + std::to_string(most));
  return value->get<int64_t>();
}

double ConfigFile::number(const std::string& key, double missing) const {
  const json* value = find(key);
  if (value == nullptr) return missing;
  if (!value->is_number()) wrong(key, "a number");
  return value->get<double>();
}

bool ConfigFile::flag(const std::string& key, bool missing) const {
  const json* value = find(key);
  if (value == nullptr) return missing;
  if (!value->is_boolean()) wrong(key, "true or false");
  return value->get<bool>();
}

std::string ConfigFile::text(const std::string& key, const std::string& missing) const {
  const json* value = find(key);
  if (value == nullptr) return missing;
  if (!value->is_string()) wrong(key, "a text");
  return value->get<std::string>();
}

int64_t ConfigFile::required(const std::string& key, int64_t least, int64_t most) const {
  if (find(key) == nullptr) fail<ModelError>(path_, ": ", key, ": is missing");
  return integer(key, 0, least, most);
}

void ConfigFile::expect_flag(const std::string& key, bool value, const std::string& otherwise) const {
  if (flag(key, value) == value) return;
  fail<ModelError>(path_, ": ", key, ": expected ", value ? "true" : "false", ", found ", value ? "false" : "true",
                   "; ", otherwise);
}

}  // namespace ventris::imports
