#pragma once
#include <string>
#include <utility>
#include <vector>

namespace ventris::plotting {

/// What attention is drawn of.
struct AttentionRequest {
  std::string model;  ///< bundle folder
  std::string source;
  std::string target;           ///< empty = the model's own translation
  std::string device = "cpu";  ///< "cpu", "cuda" or "cuda:N"
};

/// File names ("cross-layer-1.svg") and SVG documents, one for each kind of attention and each layer, with a map of
/// each head. Throws ModelError, ConfigError, and DataError for a sentence that the model cannot read.
std::vector<std::pair<std::string, std::string>> attention_figures(const AttentionRequest& request);

}  // namespace ventris::plotting
