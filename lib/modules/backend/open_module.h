#pragma once
#include <memory>

#include "backend/scorer_tools.h"
#include "decoding/scorer_library.h"
#include "model/package.h"

namespace ventris::backend {

/// The settings of a model's scorers; `script`: the model is a TorchScript file.
ScorerOptions scorer_options(const model::ModelConfig& config, torch::Device device, bool allow_unk,
                             bool script = false);

/// Makes scorers for a bundle (with nn modules) or a TorchScript file. From then on, LibTorch uses one thread per
/// operation. Throws ModelError, ConfigError, and std::invalid_argument for a model without weights and script.
std::unique_ptr<decoding::ScorerFactory> open_model(const decoding::ScorerLibraryOptions& options);

/// Makes encoders for a bundle. From then on, LibTorch uses one thread per operation. Throws ModelError and
/// ConfigError.
std::unique_ptr<decoding::TextEncoderFactory> open_encoder(const decoding::ScorerLibraryOptions& options);

/// The versions of LibTorch and BLAS and the instruction set of tensor operations, in one line.
std::string describe_libraries();

}  // namespace ventris::backend
