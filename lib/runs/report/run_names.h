#pragma once
#include <string>

#include "report/run_data.h"

namespace ventris::report {

/// What a run learns from, as far as the names of its files say.
struct RunNames {
  std::string source_language, target_language;  ///< language tags such as "en" or "pt-BR"; empty = unknown
  std::string corpus;  ///< the first training corpus, and how many others there are ("news/train and 2 more")
};

RunNames names_of(const RunData& run);

/// The run, its languages, its corpus and its state: "run: en → de, news/train (finished)".
std::string title_of(const RunData& run);

}  // namespace ventris::report
