#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "figures/heat_map.h"

namespace ventris::figures {

/// Attention weights of the heads of a block, or of several layers, with labels for rows and columns.
struct AttentionFigure {
  std::string title;
  std::string panel = "head";                          ///< what each map shows: "head", "layer"
  std::vector<std::string> texts;                      ///< above the maps, such as the sentence and its translation
  std::string x_label, y_label;                        ///< of the columns (looked at); of the rows (looking)
  std::vector<std::string> row_labels, column_labels;  ///< tokens, in valid UTF-8
  int64_t panels = 0;
  std::span<const float> weights;  ///< [panels, rows, columns], in [0, 1]
};

/// One heat map per panel; the first is called "head 1". Their colours go from 0 to 1, so that figures can be compared.
/// Throws std::invalid_argument for inconsistent sizes.
std::vector<HeatMap> attention_maps(const AttentionFigure& figure);

/// The same maps in one drawing.
std::string attention_figure(const AttentionFigure& figure);

/// The mean over the panels: [panels, rows x columns] -> [rows x columns].
std::vector<float> mean_over_panels(std::span<const float> weights, int64_t panels);

}  // namespace ventris::figures
