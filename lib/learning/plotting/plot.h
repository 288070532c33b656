#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ventris::plotting {

/// A figure and its parameters; the comments say which figure uses them.
struct PlotRequest {
  std::string figure;           ///< one of figure_names()
  std::string output =
      "-";     ///< a file; attention: a folder; report: empty = report.html of one run; stdout for several
  int64_t positions = 100;      ///< positions
  int64_t d_model = 128;        ///< positions
  int64_t feature = -1;         ///< positions: curves of four features from this one on; negative = heat map
  int64_t size = 20;            ///< mask
  std::optional<int64_t> padding = {};  ///< mask; nothing: 4, or less than `size`
  int64_t vocab = 8;            ///< smoothing
  double smoothing = 0.1;       ///< smoothing
  int64_t points = 50;          ///< kernels
  double kernel_width = 1;      ///< kernels
  uint64_t seed = 1;            ///< kernels
  std::vector<std::string> settings_files;  ///< schedule
  int64_t updates = 20000;      ///< schedule
  /// attention: a bundle; lengths: a bundle, to count its tokens; report: a run folder, or several to compare.
  std::vector<std::string> models;
  std::string source, target;  ///< attention
  std::string device = "cpu";  ///< attention
  std::vector<std::string> files;  ///< lengths; complexity, scaling, tradeoff: one
};

const std::vector<std::string>& figure_names();

/// Makes a figure and writes it. Throws ConfigError for an unknown figure, a missing parameter, or files for a figure
/// that takes none, and the errors of making and writing it.
void plot(const PlotRequest& request);

}  // namespace ventris::plotting
