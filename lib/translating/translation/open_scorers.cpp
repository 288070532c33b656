#include "translation/open_scorers.h"

#include <utility>

#include "arithmetic/matrix.h"
#include "core/error.h"
#include "core/log.h"
#include "engine/factory.h"
#include "engine/packed_file.h"
#include "installation/libtorch.h"
#include "translation/scorer_loader.h"

namespace ventris::translation {
namespace {

/// Why the engine cannot be used; "" = it can.
std::string obstacle(const model::LoadedModel& model, const ScorerSettings& settings) {
  if (settings.device != "cpu") return "the device " + settings.device;
  if (!model.weights) return "TorchScript files";
  return engine::unsupported(model.package.config);
}

engine::Precision engine_precision(Precision precision) {
  switch (precision) {
    case Precision::kBf16: return engine::Precision::kBf16;
    case Precision::kInt8: return engine::Precision::kInt8;
    case Precision::kFast: return arithmetic::fastest_precision(arithmetic::kernels());
    case Precision::kAuto:
    case Precision::kF32: break;
  }
  return engine::Precision::kF32;
}

/// The lexicon of the settings, which must be for the tokenizers of the model; null = none.
std::shared_ptr<const model::Lexicon> open_lexicon(const model::Package& package, const std::string& path) {
  if (path.empty()) return nullptr;
  auto lexicon = std::make_shared<const model::Lexicon>(model::Lexicon::from_file(path));
  const architecture::Architecture& shape = *package.config.architecture;
  lexicon->check_tokenizers(
      model::lexicon_tokenizers(package.source_spm, shape.src_vocab(), package.target_spm, shape.tgt_vocab()), path,
      package.path);
  return lexicon;
}

engine::EngineOptions engine_options(const model::Package& package, const ScorerSettings& settings) {
  return {engine_precision(settings.precision), settings.allow_unk, open_lexicon(package, settings.shortlist.lexicon),
          settings.shortlist.options};
}

std::shared_ptr<const decoding::ScorerFactory> open_engine(model::LoadedModel model, const ScorerSettings& settings) {
  const std::string file = model.package.path + "/" + model::kWeightsFile;
  return engine::make_factory(model.package.config, model::Safetensors::parse(std::move(model.weights), file),
                              engine_options(model.package, settings));
}

/// The flag that needs the engine; "" = none.
std::string flag_for_engine(const ScorerSettings& settings) {
  if (settings.precision == Precision::kBf16 || settings.precision == Precision::kInt8) return "--precision";
  return settings.shortlist.lexicon.empty() ? "" : "--shortlist";
}

/// Throws ConfigError if the settings ask for what a packed model is not for.
void check_packed(const std::string& path, const ScorerSettings& settings, engine::Precision packed) {
  if (settings.backend == Backend::kTorch || settings.device != "cpu") {
    fail<ConfigError>(settings.backend == Backend::kTorch ? "--backend torch" : "--device " + settings.device, ": ",
                      path, " is a packed model, which only the engine on a CPU can use; leave it out, or give the ",
                      "bundle from which the packed model was made");
  }
  const bool any = settings.precision == Precision::kAuto || settings.precision == Precision::kFast;
  if (any || engine_precision(settings.precision) == packed) return;
  fail<ConfigError>("--precision ", engine::name_of(engine_precision(settings.precision)), ": ", path, " is packed in ",
                    engine::name_of(packed), "; leave --precision out, or give the bundle from ",
                    "which the packed model was made");
}

std::shared_ptr<const decoding::ScorerFactory> open_packed(model::LoadedModel model, const ScorerSettings& settings) {
  const std::string& path = model.package.path;
  const auto file = model::Safetensors::parse(std::move(model.weights), path + "/" + model::kPackedFile);
  check_packed(path, settings, engine::packed_precision(file));
  if (const std::string reason = engine::unsupported(model.package.config); !reason.empty()) {
    fail<ModelError>(path, "/config.json: expected a model that the engine supports, found ", reason);
  }
  return engine::make_packed_factory(model.package.config, file, engine_options(model.package, settings));
}

/// Throws ConfigError if the settings ask for the engine, which cannot run the model for this reason.
void refuse_engine(const ScorerSettings& settings, const std::string& flag, const std::string& reason) {
  if (settings.backend != Backend::kEngine && flag.empty()) return;
  fail<ConfigError>(settings.backend == Backend::kEngine ? "--backend engine" : flag,
                    ": the engine cannot run this model: it does not support ", reason, "; leave --backend",
                    flag == "--shortlist" ? ", --precision and --shortlist" : " and --precision",
                    " out to use LibTorch");
}

}  // namespace

std::shared_ptr<const decoding::ScorerFactory> open_scorers(model::LoadedModel model, const ScorerSettings& settings) {
  if (model.package.kind == model::PackageKind::kPacked) return open_packed(std::move(model), settings);
  const std::string flag = flag_for_engine(settings);
  if (settings.backend == Backend::kTorch && !flag.empty()) {
    fail<ConfigError>(flag, ": the backend torch ",
                      flag == "--shortlist" ? "always computes the whole vocabulary" : "computes only in f32",
                      "; leave ", flag, " out, or use --backend engine");
  }
  std::string reason = "--backend torch";
  if (settings.backend != Backend::kTorch) reason = obstacle(model, settings);
  if (reason.empty() && settings.backend == Backend::kAuto && flag.empty() && !named_backend().empty()) {
    reason = "VENTRIS_BACKEND is set";
  }
  if (reason.empty()) return open_engine(std::move(model), settings);
  const bool translates = model.package.config.architecture->translates();  // otherwise, LibTorch's backend refuses it
  if (translates) refuse_engine(settings, flag, reason);
  core::log_debug("the model runs on LibTorch, not on the engine: " + reason);
  try {
    return load_scorers({opened(std::move(model)), settings.device, settings.allow_unk});
  } catch (const NoBackendError& error) {
    fail<NoBackendError>("LibTorch is needed (", reason, "), but ", error.what());
  } catch (const installation::NoLibTorchError& error) {
    fail<installation::NoLibTorchError>("LibTorch is needed (", reason, "), but ", error.what());
  }
}

}  // namespace ventris::translation
