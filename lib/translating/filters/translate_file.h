#pragma once
#include <functional>
#include <memory>

#include "decoding/step_scorer.h"
#include "filters/settings.h"
#include "model/package.h"

namespace ventris::filters {

/// Loads the model; called once.
using LoadScorers = std::function<std::shared_ptr<const decoding::ScorerFactory>()>;

/// Translates settings.input to settings.output line by line, and logs irregular lines. Opens the files before it calls
/// `load`, which is slow. The output file (as gzip if its name ends in ".gz") appears only when it is complete;
/// standard output is flushed with each line. After a stop signal or an error, keeps the finished lines
/// (finished_lines.h): the exception says where they are. If a line of the input is wrong, those before it are finished
/// first. With `strict`, throws DataError behind a complete output if text was
/// lost (Losses). Throws Interrupted, DataError, WriteError, and what `load` throws.
translation::TranslationCounts translate_file(const TranslateSettings& settings, const model::Package& package,
                                              const LoadScorers& load);

}  // namespace ventris::filters
