#include "torchscript/torchscript.h"

#include <torch/script.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "backend/families.h"
#include "core/error.h"

namespace ventris::torchscript {

std::string write_torchscript(const nn::Model& model, const model::Package& package) {
  const std::string family = package.config.architecture->family();
  const auto to_script = backend::family(family).to_script;
  if (!to_script) {
    fail<ConfigError>(package.path, ": models of the architecture '", family, "' cannot be exported as TorchScript");
  }
  const torch::NoGradGuard no_grad;
  const torch::jit::Module script = to_script(*model, package.config.tokenizer.ids);
  torch::jit::ExtraFilesMap extra{{model::kExtraConfig, package.config.to_json().dump(1)},
                                  {model::kExtraSourceSpm, package.source_spm},
                                  {model::kExtraTensors, model::tensors_to_json(package.tensors)}};
  if (!package.config.tokenizer.shared) extra[model::kExtraTargetSpm] = package.target_spm;
  std::ostringstream bytes;  // LibTorch ends the process when it cannot write a file itself
  script.save(bytes, extra);
  return std::move(bytes).str();
}

}  // namespace ventris::torchscript
