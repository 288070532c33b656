#include "training/validation.h"

#include "backend/families.h"
#include "backend/module_weights.h"
#include "backend/open_module.h"
#include "core/process.h"
#include "engine/factory.h"

namespace ventris::training {
namespace {

/// What translates with a model: on a CPU the inference engine, which is faster, if it can run the model; otherwise
/// LibTorch.
std::shared_ptr<const decoding::ScorerFactory> scorers_of(const nn::Model& model, const model::ModelConfig& config,
                                                          const torch::Device& device) {
  if (device.is_cpu() && engine::unsupported(config).empty()) {
    return engine::make_factory(config, model::Safetensors::parse(backend::save_weights(*model), "validation"), {});
  }
  return backend::make_factory(model, *config.architecture,
                               backend::scorer_options(config, device, /*allow_unk=*/false), "validation");
}

}  // namespace

Validator::Validator(const settings::RunConfig& config, const preparation::Tokenizers& tokenizers)
    : model_config_(preparation::package_of(config, tokenizers).config),
      device_(config.training.device),
      deciding_(config, {"", config.data.valid}, tokenizers) {
  for (const settings::FurtherCorpus& corpus : config.data.further_valid) {
    further_.emplace_back(config, corpus, tokenizers);
  }
}

run::ValidationResult Validator::run(const nn::Model& model) const {
  const double started = core::seconds_now();
  std::shared_ptr<const decoding::ScorerFactory> scorers;
  if (model_config_.architecture->translates()) scorers = scorers_of(model, model_config_, torch::Device(device_));
  run::ValidationResult result = deciding_.run(model, scorers);
  result.seconds = core::seconds_now() - started;
  for (const ValidationSet& set : further_) result.further.push_back(set.run(model, scorers));
  return result;
}

}  // namespace ventris::training
