#include "figures/attention_figure.h"

#include <stdexcept>

#include "figures/heat_map.h"

namespace ventris::figures {

std::vector<HeatMap> attention_maps(const AttentionFigure& figure) {
  const size_t rows = figure.row_labels.size(), columns = figure.column_labels.size(), cells = rows * columns;
  const auto panels = static_cast<size_t>(figure.panels);
  if (panels == 0 || figure.weights.size() != panels * cells) {
    throw std::invalid_argument("attention_maps: weights do not fit panels, rows and columns");
  }
  std::vector<HeatMap> maps(panels);
  for (size_t i = 0; i < panels; ++i) {
    const auto weights = figure.weights.subspan(i * cells, cells);
    HeatMap& map = maps[i];
    map.title = figure.panel + " " + std::to_string(i + 1);
    map.x_label = figure.x_label;
    map.y_label = figure.y_label;
    map.rows = rows;
    map.columns = columns;
    map.values.assign(weights.begin(), weights.end());
    map.row_labels = figure.row_labels;
    map.column_labels = figure.column_labels;
  }
  return maps;
}

std::string attention_figure(const AttentionFigure& figure) {
  return heat_map_grid(figure.title, attention_maps(figure), figure.texts);
}

std::vector<float> mean_over_panels(std::span<const float> weights, int64_t panels) {
  const auto count = static_cast<size_t>(panels);
  if (count == 0 || weights.size() % count != 0)
    throw std::invalid_argument("mean_over_panels: weights do not fit panels");
  std::vector<float> mean(weights.size() / count, 0.0F);
  for (size_t i = 0; i < weights.size(); ++i) mean[i % mean.size()] += weights[i] / static_cast<float>(count);
  return mean;
}

}  // namespace ventris::figures
