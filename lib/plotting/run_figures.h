#pragma once
#include <cstdint>
#include <string>
#include <vector>

/// Figures of what a run is made of, as SVG documents.
namespace ventris::plotting {

/// Learning rates over the updates 1 to `updates`: of training settings files, or without any of three examples of the
/// paper's schedule. Throws ConfigError for a file that is none, or `updates` not in [2, 100 million].
std::string schedule_figure(const std::vector<std::string>& settings_files, int64_t updates);

/// Histogram of the lengths of each file's lines: in tokens of `tokenizer_model` (a bundle, for the first file its
/// source side, for others its target side), or without one in words. Throws DataError, ModelError, and ConfigError
/// without a file or with "-" twice.
std::string lengths_figure(const std::vector<std::string>& files, const std::string& tokenizer_model);

}  // namespace ventris::plotting
