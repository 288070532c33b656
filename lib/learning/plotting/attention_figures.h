#pragma once
#include <string>
#include <utility>
#include <vector>

namespace ventris::plotting {

/// The model and the sentence whose attention is drawn.
struct AttentionRequest {
  std::string model;  ///< bundle folder
  std::string source;
  std::string target;           ///< empty = the model's translation
  std::string device = "cpu";  ///< "cpu", "cuda" or "cuda:N"
};

/// File names ("cross-layer-1.svg") and SVG documents, one for each kind of attention and each layer, with one map per
/// head. Throws ModelError, ConfigError, and DataError for a sentence that is empty or too long for the model.
std::vector<std::pair<std::string, std::string>> attention_figures(const AttentionRequest& request);

}  // namespace ventris::plotting
