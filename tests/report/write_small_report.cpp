#include <filesystem>

#include "report/run_report.h"
#include "support/small_run.h"

/// Writes the report of a small run as FOLDER/report.html, for a browser to open.
int main(int, char** argv) {
  const std::string folder = argv[1];
  ventris::test::write_small_run(folder);
  ventris::report::write_run_report(folder, folder + "/report.html");
}
