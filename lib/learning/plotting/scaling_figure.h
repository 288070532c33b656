#pragma once
#include <string>

namespace ventris::plotting {

/// How speed and memory grow, from a file that benchmarks/scaling.py wrote, as SVG with logarithmic axes. For each task
/// (translating, training) there are two rows: target tokens per second beside the arithmetic limit, and the peak
/// memory. Each column is for one thing that was changed: width, batch, length, vocabulary, cores. Throws ConfigError
/// for a file that cannot be read, lacks points or has other content.
std::string scaling_figure(const std::string& file);

}  // namespace ventris::plotting
