#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace ventris::plotting {

/// One figure and everything it may depend on; which is for which says each group.
struct PlotRequest {
  std::string figure;           ///< one of figure_names()
  std::string output = "-";     ///< a file; for attention a folder; empty for a report = report.html in its run
  int64_t positions = 100;      ///< positions
  int64_t d_model = 128;        ///< positions
  int64_t feature = -1;         ///< positions: curves of four features from this one; under 0 = a heat map of all
  int64_t size = 20;            ///< mask
  int64_t padding = 4;          ///< mask
  int64_t vocab = 8;            ///< smoothing
  double smoothing = 0.1;       ///< smoothing
  std::vector<std::string> settings_files;  ///< schedule
  int64_t updates = 20000;      ///< schedule
  std::string model;            ///< attention: a bundle; lengths: one whose tokens are counted; report: a run folder
  std::string source, target;   ///< attention
  std::string device = "cpu";   ///< attention
  std::vector<std::string> files;  ///< lengths
};

const std::vector<std::string>& figure_names();

/// Makes a figure and writes it. Throws ConfigError for an unknown one or what it lacks, and what making and writing it
/// throws.
void plot(const PlotRequest& request);

}  // namespace ventris::plotting
