#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "run/run_options.h"
#include "settings/run_config.h"

namespace ventris::doctor {

/// Estimates the cost of a run with these settings: reads the corpora, learns the tokenizers if there are none, and
/// does a few updates on real batches. Writes nothing to disk: neither a run folder nor a corpus cache. Keeps a sample
/// of the pairs in memory.
///
/// Returns "run" (folder, the update from which it would resume), "corpora", "tokenizers", "model", "measured",
/// "expected" (updates and seconds per epoch and for the whole run, without validations and saves; memory of the
/// process in MiB), "disk" (bytes of a checkpoint, of a bundle, of everything that the run keeps, and of free space)
/// and "warnings" (one sentence each; `warnings` first, which the caller has found). Throws as train() does if the run
/// would not start, and ConfigError for standard input and for several processes, which are not supported.
nlohmann::ordered_json diagnose(const settings::RunConfig& config, const run::RunOptions& options,
                                const std::vector<std::string>& warnings = {});

}  // namespace ventris::doctor
