#pragma once
#include <memory>
#include <string>

#include "core/error.h"
#include "decoding/scorer_library.h"
#include "model/package.h"

namespace ventris::translation {

/// The backend is in none of the places where it is looked for.
struct NoBackendError : ConfigError {
  using ConfigError::ConfigError;
};

/// The file that the environment variable VENTRIS_BACKEND names; "" = none.
std::string named_backend();

/// Opens a model with the backend, a shared library (libventris_backend.so) that needs LibTorch. If the environment
/// variable VENTRIS_BACKEND names a file, only this file is tried. Otherwise the places are, in this order:
/// 1. the folder of the program,
/// 2. ../lib from there (or the library folder of the installation),
/// 3. the places where the system's loader looks: the run path of the program, which CMake's target
///    Ventris::translation sets to where Ventris was installed, LD_LIBRARY_PATH, and the system's own folders.
/// LibTorch is looked for (installation/libtorch.h) if VENTRIS_LIBTORCH is set, or if the system's loader does not find
/// the one that the library needs.
/// The library stays open until the process ends. Throws NoBackendError with the places if it is in none of them;
/// installation::NoLibTorchError if there is no LibTorch; ConfigError if it cannot be loaded, or if it is of another
/// build; ModelError for a model that it cannot open.
std::shared_ptr<const decoding::ScorerFactory> open_backend_scorers(const decoding::ScorerLibraryOptions& options);

/// The same for the encoder of a bundle.
std::shared_ptr<const decoding::TextEncoderFactory> open_backend_encoder(const decoding::ScorerLibraryOptions& options);

/// An opened model, as the backend gets it.
decoding::OpenedModel opened(model::LoadedModel model);

/// What the backend runs on, for --version; if there is no backend, a sentence that says so.
std::string describe_backend();

}  // namespace ventris::translation
