#include "backend/module_weights.h"

#include <charconv>
#include <set>

#include "backend/families.h"
#include "core/error.h"

namespace ventris::backend {

void TensorFile::add(const std::string& name, const torch::Tensor& tensor) {
  tensors_.push_back(tensor.detach().to(torch::kCPU).to(torch::kFloat).contiguous());
  const torch::Tensor& kept = tensors_.back();
  model::TensorView view;
  view.name = name;
  view.dtype = model::DType::kF32;
  view.shape = kept.sizes().vec();
  view.bytes = {static_cast<const char*>(kept.const_data_ptr()), kept.nbytes()};
  views_.push_back(std::move(view));
}

std::string TensorFile::bytes(const std::map<std::string, std::string>& metadata) const {
  return model::write_safetensors(views_, metadata);
}

std::string save_weights(const torch::nn::Module& module) {
  TensorFile file;
  std::map<std::string, std::string> metadata{{"format", "pt"}};
  std::map<const void*, std::string> stored;
  for (const auto& item : module.named_parameters()) {
    const auto [first, fresh] = stored.emplace(item.value().unsafeGetTensorImpl(), item.key());
    if (fresh) {
      file.add(item.key(), item.value());
    } else {
      metadata["alias:" + item.key()] = first->second;
    }
  }
  return file.bytes(metadata);
}

void copy_into(torch::Tensor& tensor, const model::Safetensors& file, const std::string& name) {
  const model::TensorView& stored = file.at(name);
  if (stored.shape != tensor.sizes().vec()) {
    fail<ModelError>(file.where(), ": ", name, ": expected shape ", model::shape_text(tensor.sizes().vec()), ", found ",
                     model::shape_text(stored.shape));
  }
  if (stored.dtype != model::DType::kF32 && stored.dtype != model::DType::kBf16) {
    fail<ModelError>(file.where(), ": ", name, ": expected an F32 or BF16 tensor");
  }
  const auto type = stored.dtype == model::DType::kF32 ? torch::kFloat : torch::kBFloat16;
  const torch::NoGradGuard no_grad;
  tensor.copy_(torch::from_blob(const_cast<char*>(stored.bytes.data()), stored.shape, type));
}

void load_weights(torch::nn::Module& module, const model::Safetensors& weights) {
  std::set<std::string> known;
  for (auto& item : module.named_parameters()) {
    copy_into(item.value(), weights, item.key());
    known.insert(item.key());
  }
  for (const auto& tensor : weights.tensors()) {
    if (!known.contains(tensor.name))
      fail<ModelError>(weights.where(), ": ", tensor.name, ": the model in config.json has no such tensor");
  }
}

int64_t saved_updates(const model::Safetensors& file) {
  const auto found = file.metadata().find("updates");
  int64_t updates = 0;
  const char* end = found == file.metadata().end() ? nullptr : found->second.data() + found->second.size();
  if (end == nullptr || std::from_chars(found->second.data(), end, updates).ptr != end || updates < 0) {
    fail<ModelError>(file.where(), ": has no update count in its metadata");
  }
  return updates;
}

nn::Model load_module(const architecture::Architecture& architecture, const model::Safetensors& weights) {
  nn::Model module = make_module(architecture);
  load_weights(*module, weights);
  module->eval();
  return module;
}

}  // namespace ventris::backend
