#include "backend/open_module.h"

#include <ATen/Context.h>
#include <ATen/Version.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "backend/families.h"
#include "backend/module_memory.h"
#include "backend/module_text_encoder.h"
#include "backend/module_weights.h"
#include "core/json_reader.h"
#include "nn/threads.h"
#include "scripting/script_model.h"

namespace ventris::backend {

ScorerOptions scorer_options(const model::ModelConfig& config, torch::Device device, bool allow_unk, bool script) {
  ScorerOptions options;
  options.device = device;
  options.ids = config.tokenizer.ids;
  options.never = options.ids.never(allow_unk);
  options.max_length = config.architecture->max_length();
  const ModuleNeeds needs = module_needs(*config.architecture, script);
  options.decoder_memory = needs.decoder;
  options.pair_memory = needs.pairs;
  return options;
}

namespace {

model::ModelConfig config_of(const decoding::OpenedModel& opened) {
  return model::ModelConfig::parse(core::parse_json(opened.config, opened.name), opened.name);
}

/// The module of a bundle, in eval mode.
nn::Model module_of(const decoding::OpenedModel& opened, const architecture::Architecture& architecture,
                    torch::Device device) {
  const auto weights = model::Safetensors::parse(opened.weights, opened.name + "/model.safetensors");
  nn::Model module = load_module(architecture, weights);
  module->to(device);
  return module;
}

}  // namespace

std::unique_ptr<decoding::ScorerFactory> open_model(const decoding::ScorerLibraryOptions& options) {
  nn::use_one_thread_per_operation();  // a translator has its own threads
  const torch::Device device = parse_device(options.device);
  const decoding::OpenedModel& opened = options.model;
  if (!opened.weights && opened.script == nullptr) {
    throw std::invalid_argument("open_model: the model has neither weights nor a script");
  }
  const model::ModelConfig config = config_of(opened);
  const ScorerOptions scorers = scorer_options(config, device, options.allow_unk, !opened.weights);
  const architecture::Architecture& architecture = *config.architecture;
  architecture::check_translates(architecture, opened.name);
  if (!opened.weights) {
    const Family& row = family(architecture.family());
    const nn::Model script =
        row.load_script ? row.load_script(*opened.script, opened.name, architecture, device)
                        : scripting::load_script_model(*opened.script, opened.name, architecture.tgt_vocab(), device);
    return make_factory(script, architecture, scorers, opened.name);
  }
  return make_factory(module_of(opened, architecture, device), architecture, scorers, opened.name);
}

std::unique_ptr<decoding::TextEncoderFactory> open_encoder(const decoding::ScorerLibraryOptions& options) {
  nn::use_one_thread_per_operation();
  const torch::Device device = parse_device(options.device);
  if (!options.model.weights) throw std::invalid_argument("open_encoder: the model has no weights");
  const model::ModelConfig config = config_of(options.model);
  return make_text_encoders(module_of(options.model, *config.architecture, device), config, device, options.model.name);
}

std::string describe_libraries() {
  const std::string blas = at::hasMKL() ? "MKL" : (at::hasLAPACK() ? "OpenBLAS or another" : "none");
  std::string text = "LibTorch " TORCH_VERSION ", BLAS: " + blas + ", kernels: " + at::get_cpu_capability();
  if (torch::cuda::is_available()) text += ", CUDA devices: " + std::to_string(torch::cuda::device_count());
  return text;
}

}  // namespace ventris::backend
