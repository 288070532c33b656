#include "translation/backend_choice.h"

#include "core/error.h"
#include "engine/packed_file.h"

namespace ventris::translation {
namespace {

/// The setting that needs the engine; "" = none.
std::string setting_for_engine(const ScorerSettings& settings) {
  if (settings.precision == Precision::kBf16 || settings.precision == Precision::kInt8) return "precision";
  return settings.shortlist.lexicon.empty() ? "" : "shortlist";
}

/// Throws ConfigError if the settings ask for the engine, which cannot run the model for this reason.
void refuse_engine(const ScorerSettings& settings, const std::string& setting, const std::string& reason) {
  if (settings.backend != Backend::kEngine && setting.empty()) return;
  fail<ConfigError>(settings.backend == Backend::kEngine ? "backend engine" : setting,
                    ": the engine cannot run this model: it does not support ", reason, "; leave backend",
                    setting == "shortlist" ? ", precision and shortlist" : " and precision", " out to use LibTorch");
}

}  // namespace

std::string reason_for_libtorch(const ScorerSettings& settings, const std::string& obstacle) {
  const std::string setting = setting_for_engine(settings);
  if (settings.backend == Backend::kTorch) {
    if (setting.empty()) return "backend torch";
    fail<ConfigError>(setting, ": the backend torch ",
                      setting == "shortlist" ? "always computes the whole vocabulary" : "computes only in f32",
                      "; leave ", setting, " out, or use the backend engine");
  }
  if (!obstacle.empty()) {
    refuse_engine(settings, setting, obstacle);
    return obstacle;
  }
  const bool named = settings.backend == Backend::kAuto && setting.empty() && !named_backend().empty();
  return named ? "VENTRIS_BACKEND is set" : "";
}

arithmetic::Precision engine_precision(Precision precision) {
  switch (precision) {
    case Precision::kBf16: return arithmetic::Precision::kBf16;
    case Precision::kInt8: return arithmetic::Precision::kInt8;
    case Precision::kFast: return arithmetic::fastest_precision(arithmetic::kernels());
    case Precision::kAuto:
    case Precision::kF32: break;
  }
  return arithmetic::Precision::kF32;
}

void check_packed(const std::string& path, const ScorerSettings& settings, arithmetic::Precision packed) {
  if (settings.backend == Backend::kTorch || settings.device != "cpu") {
    fail<ConfigError>(settings.backend == Backend::kTorch ? "backend torch" : "device " + settings.device, ": ", path,
                      " is a packed model, which only the engine on a CPU can use; leave it out, or give the ",
                      "bundle from which the packed model was made");
  }
  const bool any = settings.precision == Precision::kAuto || settings.precision == Precision::kFast;
  if (any || engine_precision(settings.precision) == packed) return;
  fail<ConfigError>("precision ", engine::name_of(engine_precision(settings.precision)), ": ", path, " is packed in ",
                    engine::name_of(packed), "; leave precision out, or give the bundle from ",
                    "which the packed model was made");
}

}  // namespace ventris::translation
