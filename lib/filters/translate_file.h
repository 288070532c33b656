#pragma once
#include <functional>
#include <memory>

#include "decoding/step_scorer.h"
#include "model/package.h"
#include "filters/settings.h"

namespace ventris::filters {

/// Loads what translates; called once.
using LoadScorers = std::function<std::shared_ptr<const decoding::ScorerFactory>()>;

/// Translates settings.input to settings.output line by line and tells the log what was out of the ordinary. The files
/// are opened before `load`, which takes its time, is called. The output file, packed if its name ends in ".gz",
/// appears only when it is complete; standard output is flushed with each line. After a stop signal the lines that are
/// finished are kept (finished_lines.h), and Interrupted says where. Throws DataError, WriteError, and what `load`
/// throws.
translation::TranslationCounts translate_file(const TranslateSettings& settings, const model::Package& package,
                                              const LoadScorers& load);

}  // namespace ventris::filters
