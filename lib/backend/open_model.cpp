#include "backend/open_model.h"

#include <ATen/Context.h>
#include <ATen/Version.h>

#include <filesystem>

#include "backend/module_weights.h"
#include "backend/script_scorer.h"
#include "core/process.h"

namespace ventris::backend {

ScorerOptions scorer_options(const model::ModelConfig& config, torch::Device device, bool allow_unk) {
  const auto& ids = config.tokenizer.ids;
  ScorerOptions options;
  options.device = device;
  options.pad = ids.pad;
  options.bos = ids.bos;
  options.eos = ids.eos;
  options.never = {ids.pad, ids.bos};
  if (!allow_unk) options.never.push_back(ids.unk);
  options.max_length = config.transformer.max_positions;
  return options;
}

std::unique_ptr<decoding::ScorerFactory> open_model(const decoding::ScorerLibraryOptions& options) {
  const torch::Device device = parse_device(options.device);
  if (!std::filesystem::is_directory(options.model)) {
    const model::Package package = model::open_package(options.model);
    return make_script_factory(options.model, static_cast<int32_t>(package.config.transformer.tgt_vocab),
                               scorer_options(package.config, device, options.allow_unk));
  }
  const model::Bundle bundle = model::open_bundle(options.model);
  const ScorerOptions scorers = scorer_options(bundle.package.config, device, options.allow_unk);
  nn::EncoderDecoder module = load_module(bundle.package.config.transformer, bundle.weights);
  module->to(device);
  return make_module_factory(module, scorers);
}

std::string describe_libraries() {
  const std::string blas = at::hasMKL() ? "MKL" : (at::hasLAPACK() ? "OpenBLAS or another" : "none");
  std::string text = "LibTorch " TORCH_VERSION ", BLAS: " + blas + ", kernels: " + at::get_cpu_capability();
  if (torch::cuda::is_available()) text += ", CUDA devices: " + std::to_string(torch::cuda::device_count());
  return text;
}

}  // namespace ventris::backend
