#pragma once
#include <string>
#include <vector>

#include "report/run_data.h"

namespace ventris::report {

/// A page that compares runs: what they have reached, their curves in common charts, the settings in which they differ,
/// and their newest translations. Self-contained like a report. The names of the runs must differ.
std::string comparison(const std::vector<RunData>& runs);

/// Reads at least two run folders and writes the page. Runs in folders of the same name are called by their paths.
/// Throws ConfigError if a folder is given twice; DataError, WriteError.
void write_comparison(const std::vector<std::string>& folders, const std::string& path);

}  // namespace ventris::report
