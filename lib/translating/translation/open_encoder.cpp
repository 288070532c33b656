#include "translation/open_encoder.h"

#include <filesystem>
#include <utility>

#include "core/error.h"
#include "engine/encoder_factory.h"
#include "engine/packed_file.h"
#include "model/finite.h"
#include "translation/backend_choice.h"

namespace ventris::translation {
namespace {

using Encoders = std::shared_ptr<const decoding::TextEncoderFactory>;

Encoders open_packed_encoder(model::LoadedModel model, const ScorerSettings& settings) {
  const std::string& path = model.package.path;
  const auto file = model::Safetensors::parse(std::move(model.weights), path + "/" + model::kPackedFile);
  check_packed(path, settings, engine::packed_precision(file));
  if (const std::string reason = engine::unsupported_encoder(model.package.config); !reason.empty()) {
    fail<ModelError>(path, "/config.json: expected a model whose encoder the engine supports, found ", reason);
  }
  return engine::make_packed_text_encoders(model.package.config, file);
}

Encoders read_bundle(model::LoadedModel model, const ScorerSettings& settings) {
  const model::ModelConfig config = model.package.config;
  const auto weights = model::Safetensors::parse(model.weights, model.package.path + "/" + model::kWeightsFile);
  model::check_finite(weights);
  const std::string obstacle =
      settings.device != "cpu" ? "the device " + settings.device : engine::unsupported_encoder(config);
  const std::string reason = reason_for_libtorch(settings, obstacle);
  if (reason.empty()) return engine::make_text_encoders(config, weights, engine_precision(settings.precision));
  return with_libtorch(reason, [&] { return open_backend_encoder({opened(std::move(model)), settings.device}); });
}

}  // namespace

EncoderModel open_encoder(const std::string& path, const ScorerSettings& settings) {
  if (std::error_code ignored; std::filesystem::is_regular_file(path, ignored)) {
    fail<ModelError>(path, ": expected a bundle folder, got a file");
  }
  model::LoadedModel model = model::read_model(path);
  model::Package package = model.package;
  const bool packed = package.kind == model::PackageKind::kPacked;
  return {std::move(package),
          packed ? open_packed_encoder(std::move(model), settings) : read_bundle(std::move(model), settings)};
}

}  // namespace ventris::translation
