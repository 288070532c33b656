#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

/// A page for people about a training run, made of what its folder holds; also of a run that is still going on.
namespace ventris::report {

/// Names of the files in RUN/report, which nothing else is made of.
inline constexpr const char* kSamples = "samples.jsonl";       ///< {"updates", "samples": [{"source", ...}]} a line
inline constexpr const char* kAttention = "attention.json";    ///< of a sample, as the newest validation saw it
inline constexpr const char* kStatistics = "statistics.json";  ///< of the training corpus

/// What a report is made of. What is missing is null or empty, and its part of the report is left out.
struct RunData {
  std::string name;                     ///< of the run
  nlohmann::json settings;              ///< config.json
  std::vector<nlohmann::json> metrics;  ///< the lines of metrics.jsonl
  std::vector<nlohmann::json> samples;  ///< the lines of samples.jsonl
  nlohmann::json attention, statistics;
  std::string written;  ///< when, for people; empty = not said
};

/// Reads a run folder. Files that are missing, and lines that are damaged or that a killed run has left half written,
/// are passed over.
/// Throws DataError if there is no metrics.jsonl.
RunData read_run(const std::string& folder);

}  // namespace ventris::report
