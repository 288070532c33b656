#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ventris::figures {

/// Attention weights of the heads of a block, or of several layers, and what their rows and columns are.
struct AttentionFigure {
  std::string title;
  std::string panel = "head";                          ///< what each map is of: "head", "layer"
  std::string x_label, y_label;                        ///< what is looked at; who looks
  std::vector<std::string> row_labels, column_labels;  ///< tokens, in valid UTF-8
  int64_t panels = 0;
  std::span<const float> weights;  ///< [panels, rows, columns], in [0, 1]
};

/// A heat map of each panel, the first called "head 1"; the darkest shade is the greatest weight of all of them. Throws
/// std::invalid_argument if sizes do not fit.
std::string attention_figure(const AttentionFigure& figure);

/// Mean over the panels: [rows x columns] of [panels, rows x columns].
std::vector<float> mean_over_panels(std::span<const float> weights, int64_t panels);

}  // namespace ventris::figures
