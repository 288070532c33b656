#pragma once
#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

/// The report page of a training run, made from its folder, even while the run is active.
namespace ventris::report {

/// The names of the files in RUN/report, which are used only for the report.
inline constexpr const char* kSamples = "samples.jsonl";  ///< per line: {"updates", "samples": [{"source", ...}]}
inline constexpr const char* kAttention = "attention.json";  ///< of one sample in the newest validation
inline constexpr const char* kState = "state.json";  ///< whether the run is running, and why it is not (run_state.h)
inline constexpr const char* kStatistics = "statistics.json";  ///< of the training corpus

/// The data of a report. Missing data are null or empty; their parts of the report are left out.
struct RunData {
  std::string name;  ///< of the run
  nlohmann::json settings;  ///< config.json
  std::vector<nlohmann::json> metrics;  ///< the lines of metrics.jsonl
  std::vector<nlohmann::json> samples;  ///< the lines of samples.jsonl
  nlohmann::json attention, statistics, state;
  std::string last_line;  ///< date and time of the newest line of metrics.jsonl
  std::string written;  ///< date and time for the page; empty = not shown
};

/// "2026-05-01 12:00 UTC".
std::string time_text(std::chrono::system_clock::time_point time);

/// Reads a run folder. Skips missing files, and lines that are damaged or incomplete (if a run was killed).
///
/// Throws DataError if there is no metrics.jsonl.
RunData read_run(const std::string& folder);

}  // namespace ventris::report
