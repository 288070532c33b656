#include "files/json_file.h"

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/json_reader.h"
#include "core/json_shape.h"
#include "files/files.h"

namespace ventris::files {

nlohmann::json read_json_file(const std::string& path) {
  std::string text;
  try {
    text = read_file(path, core::kMostJsonBytes);
  } catch (const DataError& error) {  // here it is a setting that is at fault
    fail<ConfigError>(error.what());
  }
  if (text.empty()) fail<ConfigError>(path, ": the settings file is empty; expected an object {...}");
  return core::parse_json(text, path);
}

}  // namespace ventris::files
