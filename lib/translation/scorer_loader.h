#pragma once
#include <memory>
#include <string>

#include "decoding/scorer_library.h"
#include "model/package.h"

namespace ventris::translation {

/// Opens a model with the backend, a shared library (libventris_backend.so) that brings LibTorch along. If the
/// environment variable VENTRIS_BACKEND names a file, it is that one and no other. Else it is looked for
/// 1. beside the program,
/// 2. in ../lib from there (or wherever libraries are installed),
/// 3. where the system's loader looks for a library of that name: the run path of the program, which CMake's target
///    Ventris::translation sets to where Ventris was installed, LD_LIBRARY_PATH, and the system's own folders.
/// It stays open until the process ends. Throws ConfigError naming the places if it is in none, or if it cannot be
/// loaded or is of another build; ModelError for a model it cannot open.
std::shared_ptr<const decoding::ScorerFactory> load_scorers(const decoding::ScorerLibraryOptions& options);

/// A model that was opened, for the backend.
decoding::OpenedModel opened(model::LoadedModel model);

/// What the backend runs on, for --version; a sentence if there is no backend.
std::string describe_backend();

}  // namespace ventris::translation
