#pragma once
#include <string>

namespace ventris::plotting {

/// What layers cost, from a file that benchmarks/complexity.py wrote, as SVG with logarithmic axes: for each kind of
/// layer, the time (forward and backward) and the memory by length at the largest width, and the time by width at the
/// largest length that all kinds have. Throws ConfigError for a file that cannot be read, lacks points or has other
/// content.
std::string complexity_figure(const std::string& file);

}  // namespace ventris::plotting
