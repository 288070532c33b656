#pragma once
#include <memory>
#include <string>

#include "backend/module_scorer.h"

namespace ventris::backend {

/// Scorers over a TorchScript file written by ventris-export, through its own encode, decode and generator methods; the
/// target so far is decoded anew each step. `vocab` is the target vocabulary. Throws ModelError if the file cannot be
/// loaded. A TorchScript file is a program and loading it trusts it.
std::unique_ptr<decoding::ScorerFactory> make_script_factory(const std::string& path, int32_t vocab,
                                                             const ScorerOptions& options);

}  // namespace ventris::backend
