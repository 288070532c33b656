#pragma once
#include <string>
#include <vector>

#include "report/run_data.h"

namespace ventris::report {

/// The curves of a run as SVG documents, as far as there are data for them.
std::vector<std::string> curves(const RunData& run);

/// The chart of the lengths of the training pairs; empty if there are no statistics.
std::string length_chart(const nlohmann::json& statistics);

/// Attention while the model translated a sample: one figure of the layers, one of the heads of the last layer; none if
/// there is no attention.
std::vector<std::string> attention_charts(const nlohmann::json& attention);

/// The number under a key; NaN if there is none.
double number_or_nan(const nlohmann::json& object, const char* key);

}  // namespace ventris::report
