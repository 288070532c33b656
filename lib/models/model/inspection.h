#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ventris::model {

/// Checks and describes a bundle, a TorchScript export, a checkpoint folder or a run folder. Returns "kind" ("bundle",
/// "torchscript", "checkpoint", "run"), "path", "bytes" on disk, and, depending on the kind, "files", "settings",
/// "tokenizers", "decoding", "provenance", "state" (of training), "optimizer", "parameters" (by module), "tensors"; of
/// a run, "checkpoints", "models", "latest", "best", "final", "averaged", "last_report", "best_validation",
/// "resumable", and, if true, "goes_on_from" (the newest intact checkpoint) and "finished". Runs nothing of a model.
///
/// If a run folder has a damaged checkpoint or bundle, that one has a "problem", and the run has the first of these
/// problems. A bundle or checkpoint with NaN or infinite values in its tensors also has a "problem", and "non_finite":
/// a list of "tensor", "values", "nan" and "infinite". Throws ModelError for any other damage, and for anything that is
/// none of these kinds.
nlohmann::ordered_json inspect(const std::string& path);

}  // namespace ventris::model
