#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "inspection/corpus_statistics.h"

namespace ventris::inspection {

/// The statistics as JSON: "kind" ("corpus"), "lines", "source", "target", "pairs", "overlap", "problem"; parts that do
/// not apply are left out. Shares are between 0 and 1, line numbers count from 1.
nlohmann::ordered_json to_json(const CorpusStatistics& corpus);

/// The same as readable text, with a histogram of the lengths. Names and characters are escaped by
/// core::printable.
std::string to_text(const CorpusStatistics& corpus);

}  // namespace ventris::inspection
