#pragma once
#include <string>
#include <vector>

#include "figures/line_chart.h"

namespace ventris::plotting {

/// Charts of the same size below a title, as SVG: `columns` (at least 1) in each row, in the given order.
std::string chart_grid(const std::string& title, const std::vector<figures::LineChart>& charts, size_t columns);

}  // namespace ventris::plotting
