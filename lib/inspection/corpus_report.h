#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "inspection/corpus_statistics.h"

namespace ventris::inspection {

/// A survey for programs: "kind" ("corpus"), "lines", "source", "target", "pairs", "overlap", "problem"; what the
/// corpus has not is left out. Shares are of 1, line numbers count from 1.
nlohmann::ordered_json to_json(const CorpusStatistics& corpus);

/// The same for people, with a histogram of the lengths. Names and characters have been through
/// core::printable.
std::string to_text(const CorpusStatistics& corpus);

}  // namespace ventris::inspection
