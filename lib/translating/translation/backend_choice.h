#pragma once
#include <string>

#include "arithmetic/matrix.h"
#include "core/log.h"
#include "installation/libtorch.h"
#include "translation/open_scorers.h"
#include "translation/scorer_loader.h"

/// Which of the engine and LibTorch computes a model.
namespace ventris::translation {

/// Why LibTorch must compute the model; "" = the engine does. `obstacle` says why the engine cannot; "" = it can.
/// Throws ConfigError if the settings ask for one that cannot.
std::string reason_for_libtorch(const ScorerSettings& settings, const std::string& obstacle);

/// Calls `load`, which loads the backend. If there is no backend or no LibTorch, the message also has the reason.
template <typename Load>
auto with_libtorch(const std::string& reason, const Load& load) {
  core::log_debug("the model runs on LibTorch, not on the engine: " + reason);
  try {
    return load();
  } catch (const NoBackendError& error) {
    fail<NoBackendError>("LibTorch is needed (", reason, "), but ", error.what());
  } catch (const installation::NoLibTorchError& error) {
    fail<installation::NoLibTorchError>("LibTorch is needed (", reason, "), but ", error.what());
  }
}

/// The precision of the engine for a bundle.
arithmetic::Precision engine_precision(Precision precision);

/// Throws ConfigError if the settings ask for what a model packed in this precision is not for. `path` names it.
void check_packed(const std::string& path, const ScorerSettings& settings, arithmetic::Precision packed);

}  // namespace ventris::translation
