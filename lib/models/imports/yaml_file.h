#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ventris::imports {

/// The first document of a YAML file as JSON. Values without quotes are read as PyYAML reads them: null, true and
/// false, numbers, texts. Tags have no effect; aliases and the key "<<" do. Throws ModelError, beginning with `where`
/// and the line, for what is no YAML, for keys that are no texts, for keys that are there twice, and for files that are
/// over 1 MiB, nested deeper than 50 levels, or have far more values than bytes because of aliases.
nlohmann::json parse_yaml(const std::string& bytes, const std::string& where);

}  // namespace ventris::imports
