#pragma once
#include <memory>
#include <string>

#include "decoding/scorer_library.h"
#include "model/package.h"

namespace ventris::translation {

/// Opens a model with the backend, a shared library (libventris_backend.so) that brings LibTorch along. It is looked
/// for in the place that the environment variable VENTRIS_BACKEND names, or else beside the program and in ../lib (or
/// wherever libraries are installed). It stays open until the process ends. Throws ConfigError naming those places if
/// it is in none or cannot be loaded, ModelError for a model it cannot open.
std::shared_ptr<const decoding::ScorerFactory> load_scorers(const decoding::ScorerLibraryOptions& options);

/// A model that was opened, for the backend.
decoding::OpenedModel opened(model::LoadedModel model);

/// What the backend runs on, for --version; a sentence if there is no backend.
std::string describe_backend();

}  // namespace ventris::translation
