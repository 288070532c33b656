#pragma once
#include "model/package.h"
#include "preparation/opened_run.h"
#include "settings/run_config.h"
#include "text/tokenizer.h"

namespace ventris::preparation {

/// The tokenizers of a run.
struct Tokenizers {
  text::Tokenizer source;
  text::Tokenizer target;
};

/// Takes the tokenizers from the checkpoint if the run is resumed, else from the bundle it starts from (that of the
/// source from a BERT), else from the files in the settings, else learns them from the training corpus. Throws
/// ConfigError if the settings name another tokenizer than that of the run.
Tokenizers prepare_tokenizers(const settings::RunConfig& config, const OpenedRun& run);

/// The configuration and tokenizers of the run's bundles.
model::Package package_of(const settings::RunConfig& config, const Tokenizers& tokenizers);

}  // namespace ventris::preparation
