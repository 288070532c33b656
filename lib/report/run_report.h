#pragma once
#include <string>

#include "report/run_data.h"

namespace ventris::report {

/// The report as an HTML page that needs nothing beside it: no scripts, nothing from elsewhere, which its
/// Content-Security-Policy also forbids. Parts whose data are damaged are left out.
std::string run_report(const RunData& run);

/// Reads a run folder and writes its report.html. Throws DataError, WriteError.
void write_run_report(const std::string& folder, const std::string& path);

}  // namespace ventris::report
