#pragma once
#include <string>

#include "report/run_data.h"

namespace ventris::report {

/// The report as a self-contained HTML page without scripts. Its Content-Security-Policy also forbids scripts and
/// external files. Parts whose data are damaged are left out.
std::string run_report(const RunData& run);

/// Reads a run folder and writes its report.html. Throws DataError, WriteError.
void write_run_report(const std::string& folder, const std::string& path);

}  // namespace ventris::report
