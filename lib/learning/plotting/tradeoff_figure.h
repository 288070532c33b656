#pragma once
#include <string>

namespace ventris::plotting {

/// Quality against speed, from a file that benchmarks/tradeoff.py wrote, as SVG: BLEU over sentences per second (on a
/// logarithmic axis), a line for each model and precision, and on it a point for each beam. Throws ConfigError for a
/// file that cannot be read, lacks points or has other content.
std::string tradeoff_figure(const std::string& file);

}  // namespace ventris::plotting
