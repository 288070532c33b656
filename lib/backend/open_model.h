#pragma once
#include <memory>

#include "backend/module_scorer.h"
#include "decoding/scorer_library.h"
#include "model/package.h"

namespace ventris::backend {

/// Ids and limits of a model for its scorers.
ScorerOptions scorer_options(const model::ModelConfig& config, torch::Device device, bool allow_unk);

/// Scorers over a bundle (through nn modules) or a TorchScript file. Throws ModelError, ConfigError.
std::unique_ptr<decoding::ScorerFactory> open_model(const decoding::ScorerLibraryOptions& options);

/// Which LibTorch, BLAS and instruction set tensor arithmetic runs on here, in one line.
std::string describe_libraries();

}  // namespace ventris::backend
