#pragma once
#include "preparation/opened_run.h"
#include "settings/run_config.h"

namespace ventris::preparation {

/// Gives a classifier without labels those of the checkpoint if the run is resumed, else those that occur in the
/// training corpus, and logs them. Does nothing for other models. Throws DataError as data::collect_labels does.
void complete_labels(settings::RunConfig& config, const OpenedRun& run);

}  // namespace ventris::preparation
