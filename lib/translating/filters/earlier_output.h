#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "filters/settings.h"

/// What earlier runs of `ventris-translate` have left of an output, to go on with.
namespace ventris::filters {

/// A partial output.
struct EarlierOutput {
  std::string partial;                       ///< its file; "" = there is none
  nlohmann::ordered_json record = {};        ///< what it was begun with (run_record.h)
  int64_t most = std::numeric_limits<int64_t>::max();  ///< how many lines of the input are those that it was made of
};

/// The longest of the partial files of settings.output that were begun like a run with this record. Others like it,
/// which have no more, are removed unless they belong to another user; so are empty ones. Throws ConfigError if there
/// are only such as a process writes or as were begun differently, and DataError for a file that cannot be read.
EarlierOutput find_earlier_output(const TranslateSettings& settings, const nlohmann::ordered_json& record);

/// Removes it with its record, if it is there, belongs to this user, and is not written by any process.
void remove_earlier(const std::string& partial);

/// Calls each(answer) for the answers to the lines of the input that the file has, with line ends; returns how many
/// they are. The last line may lack its end, and the last n-best list some of its lines; they are left out. Throws
/// DataError for a file that cannot be read, or in which n-best lists do not follow each other.
int64_t for_each_answer(const EarlierOutput& earlier, OutputFormat format,
                        const std::function<void(std::string_view answer)>& each);

}  // namespace ventris::filters
