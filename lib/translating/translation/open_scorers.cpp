#include "translation/open_scorers.h"

#include <utility>

#include "core/error.h"
#include "engine/factory.h"
#include "engine/packed_file.h"
#include "translation/backend_choice.h"
#include "translation/scorer_loader.h"

namespace ventris::translation {
namespace {

/// Why the engine cannot be used; "" = it can.
std::string obstacle(const model::LoadedModel& model, const ScorerSettings& settings) {
  if (settings.device != "cpu") return "the device " + settings.device;
  if (!model.weights) return "TorchScript files";
  return engine::unsupported(model.package.config);
}

/// The lexicon of the settings, which must be for the tokenizers of the model; null = none.
std::shared_ptr<const model::Lexicon> open_lexicon(const model::Package& package, const std::string& path) {
  if (path.empty()) return nullptr;
  return std::make_shared<const model::Lexicon>(model::lexicon_of(package, path));
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

std::shared_ptr<const decoding::ScorerFactory> open_packed(model::LoadedModel model, const ScorerSettings& settings) {
  const std::string& path = model.package.path;
  const auto file = model::Safetensors::parse(std::move(model.weights), path + "/" + model::kPackedFile);
  check_packed(path, settings, engine::packed_precision(file));
  if (const std::string reason = engine::unsupported(model.package.config); !reason.empty()) {
    fail<ModelError>(path, "/config.json: expected a model that the engine supports, found ", reason);
  }
  return engine::make_packed_factory(model.package.config, file, engine_options(model.package, settings));
}

}  // namespace

std::shared_ptr<const decoding::ScorerFactory> open_scorers(model::LoadedModel model, const ScorerSettings& settings) {
  if (model.package.kind == model::PackageKind::kPacked) return open_packed(std::move(model), settings);
  architecture::check_translates(*model.package.config.architecture, model.package.path);
  const std::string reason = reason_for_libtorch(settings, obstacle(model, settings));
  if (reason.empty()) return open_engine(std::move(model), settings);
  return with_libtorch(
      reason, [&] { return open_backend_scorers({opened(std::move(model)), settings.device, settings.allow_unk}); });
}

}  // namespace ventris::translation
