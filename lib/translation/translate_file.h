#pragma once
#include <memory>

#include "decoding/step_scorer.h"
#include "model/package.h"
#include "translation/settings.h"

namespace ventris::translation {

/// Translates settings.input to settings.output line by line and tells the log what was out of the ordinary. The output file
/// appears only when it is complete; standard output is flushed with each line. Throws DataError, WriteError, Interrupted.
TranslationCounts translate_file(const TranslateSettings& settings, const model::Package& package,
                                 std::shared_ptr<const decoding::ScorerFactory> scorers);

}  // namespace ventris::translation
