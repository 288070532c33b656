#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "run/checkpoint.h"

/// Files of a run with one JSON object per line, each with "kind" and "updates".
namespace ventris::run {

/// Removes lines that a killed run wrote after `state` was saved, because the resumed run writes them again. Also
/// removes damaged lines.
void cut_lines(const std::string& path, const TrainingState& state);

/// Appends a line. Throws WriteError.
void append_line(const std::string& path, const nlohmann::ordered_json& line);

}  // namespace ventris::run
