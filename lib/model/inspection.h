#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ventris::model {

/// What is in a bundle, a TorchScript export, a checkpoint folder or a run folder, after checking all of it:
/// "kind" ("bundle", "torchscript", "checkpoint", "run"), "path", "bytes" on disk, and by kind "files", "settings",
/// "tokenizers", "decoding", "provenance", "state" (of training), "optimizer", "parameters" (by module), "tensors";
/// for a run "checkpoints", "models", "latest", "best", "final", "averaged", "last_report", "best_validation",
/// "resumable" and, if it is, "goes_on_from" (the newest whole checkpoint) and "finished". Nothing of a model is run.
///
/// A run folder with a damaged checkpoint or bundle is described all the same: that one has a "problem", and so has the
/// whole (the first of them). So has a bundle or a checkpoint with NaN or infinite values in its tensors, which are its
/// "non_finite": a list of "tensor", "values", "nan", "infinite". Anything else that is damaged, or no such thing at
/// all, throws ModelError.
nlohmann::ordered_json inspect(const std::string& path);

}  // namespace ventris::model
