#pragma once
#include <string>
#include <vector>

#include "report/run_data.h"

namespace ventris::report {

/// The curves of a run as SVG documents; only those that there are figures for.
std::vector<std::string> curves(const RunData& run);

/// Lengths of the training pairs; empty without statistics.
std::string length_chart(const nlohmann::json& statistics);

/// Where the model looked while it made a sample's translation: a figure of the layers, one of the last layer's heads;
/// none without attention.
std::vector<std::string> attention_charts(const nlohmann::json& attention);

/// The number under a key; not finite if there is none.
double number_or_nan(const nlohmann::json& object, const char* key);

}  // namespace ventris::report
