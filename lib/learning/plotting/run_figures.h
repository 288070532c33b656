#pragma once
#include <cstdint>
#include <string>
#include <vector>

/// SVG figures of the settings and data of a run.
namespace ventris::plotting {

/// The learning rates of the updates 1 to `updates`, from settings files of ventris-train, or, if there are none, three
/// examples of the schedule noam. Throws ConfigError for a bad file, or `updates` not in [2, 100 million].
std::string schedule_figure(const std::vector<std::string>& settings_files, int64_t updates);

/// A histogram of the lengths of each file's lines, in tokens of the bundle `tokenizer_model` (source side for the
/// first file, target side for others), or, if it is empty, in words. Throws DataError, ModelError, and ConfigError if
/// there are no files or "-" occurs twice.
std::string lengths_figure(const std::vector<std::string>& files, const std::string& tokenizer_model);

}  // namespace ventris::plotting
