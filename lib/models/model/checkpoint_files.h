#pragma once
#include <set>
#include <string>

namespace ventris::model {

/// The names of all files that a checkpoint can have; ema.safetensors and target.spm are not in every one.
inline const std::set<std::string> kCheckpointFiles{"state.json",      "model.safetensors", "optimizer.safetensors",
                                                    "ema.safetensors", "source.spm",        "target.spm"};

}  // namespace ventris::model
