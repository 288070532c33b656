#include "torchscript/torchscript.h"

#include <torch/script.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "backend/families.h"
#include "core/error.h"
#include "model/exported_files.h"

namespace ventris::torchscript {
namespace {

/// Adds kFilesAttribute: no parameter and no buffer, so that the module's state_dict stays that of the model.
void add_attribute(torch::jit::Module& script, const torch::jit::ExtraFilesMap& files) {
  c10::Dict<std::string, torch::Tensor> attribute;
  for (const auto& [name, content] : files) {
    torch::Tensor bytes = torch::empty({static_cast<int64_t>(content.size())}, torch::kByte);
    std::memcpy(bytes.data_ptr(), content.data(), content.size());
    attribute.insert(name, bytes);
  }
  script.register_attribute(model::kFilesAttribute,
                            c10::DictType::create(c10::StringType::get(), c10::TensorType::get()), attribute);
}

}  // namespace

std::string write_torchscript(const nn::Model& model, const model::Package& package) {
  const std::string family = package.config.architecture->family();
  const auto to_script = backend::family(family).to_script;
  if (!to_script) {
    fail<ConfigError>(package.path, ": models of the architecture '", family, "' cannot be exported as TorchScript");
  }
  const torch::NoGradGuard no_grad;
  torch::jit::Module script = to_script(*model, package.config.tokenizer.ids);
  torch::jit::ExtraFilesMap extra{{model::kExtraConfig, package.config.to_json().dump(1)},
                                  {model::kExtraSourceSpm, package.source_spm},
                                  {model::kExtraTensors, model::tensors_to_json(package.tensors)}};
  if (!package.config.tokenizer.shared) extra[model::kExtraTargetSpm] = package.target_spm;
  add_attribute(script, extra);
  std::ostringstream bytes;  // LibTorch ends the process when it cannot write a file itself
  script.save(bytes, extra);
  return std::move(bytes).str();
}

void round_to_bf16(const nn::Model& model, model::Package& package) {
  const torch::NoGradGuard no_grad;
  const auto round = [](torch::Tensor tensor) {
    if (tensor.is_floating_point()) tensor.set_data(tensor.to(torch::kBFloat16));
  };
  for (const torch::Tensor& parameter : model->parameters()) round(parameter);
  for (const torch::Tensor& buffer : model->buffers()) round(buffer);
  for (model::TensorSummary& tensor : package.tensors) tensor.dtype = "BF16";
}

}  // namespace ventris::torchscript
