#pragma once
#include <string>
#include <vector>

#include "report/run_data.h"

namespace ventris::report {

/// The curves of a run as SVG documents, as far as there are data for them.
std::vector<std::string> curves(const RunData& run);

/// The same curves of several runs, each kind in one chart. The names of the runs must differ.
std::vector<std::string> curves_together(const std::vector<RunData>& runs);

/// The chart of the lengths of the training pairs; empty if there are no statistics.
std::string length_chart(const nlohmann::json& statistics);

/// Attention to the source while the model translated a sample. Each map is an SVG document.
struct AttentionFigures {
  std::string source, translation;  ///< the sample
  std::vector<std::string> layers;  ///< of each layer, the mean of its heads
  std::vector<std::string> heads;   ///< of the last layer, if it has several
};

/// The maps of attention.json; empty if there is no attention. Throws nlohmann's exceptions for unexpected content.
AttentionFigures attention_figures(const nlohmann::json& attention);

}  // namespace ventris::report
