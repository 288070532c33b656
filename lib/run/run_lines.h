#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "run/checkpoint.h"

/// Files of a run with a JSON object a line, each with "kind" and "updates".
namespace ventris::run {

/// Cuts off what a killed run wrote after `state` was saved: the run that goes on from it writes those lines again.
/// Lines that are damaged go away too.
void cut_lines(const std::string& path, const TrainingState& state);

/// Appends a line. Throws WriteError.
void append_line(const std::string& path, const nlohmann::ordered_json& line);

}  // namespace ventris::run
