#pragma once
#include <torch/torch.h>

#include <list>
#include <map>
#include <string>
#include <vector>

#include "architecture/architecture.h"
#include "model/safetensors.h"
#include "nn/model.h"

/// Saves and loads the weights of torch::nn modules.
namespace ventris::backend {

/// Collects tensors for a safetensors file. Keeps contiguous copies on the CPU until bytes() is called.
class TensorFile {
 public:
  void add(const std::string& name, const torch::Tensor& tensor);
  std::string bytes(const std::map<std::string, std::string>& metadata) const;

 private:
  std::list<torch::Tensor> tensors_;
  std::vector<model::TensorView> views_;
};

/// Saves all parameters by name. A parameter tied to an earlier one becomes an alias in the metadata. Buffers
/// (sinusoidal positions) are not saved, because they follow from the configuration.
std::string save_weights(const torch::nn::Module& module);

/// Loads every parameter from the file. Throws ModelError if one is missing or has another shape or type, or if the
/// file has a tensor that the module does not have.
void load_weights(torch::nn::Module& module, const model::Safetensors& weights);

/// Copies the stored tensor with this name (f32 or bf16) into `tensor`. Throws ModelError for another shape or type.
void copy_into(torch::Tensor& tensor, const model::Safetensors& file, const std::string& name);

/// The number of updates ("updates") in the metadata of a file. Throws ModelError if there is none.
int64_t saved_updates(const model::Safetensors& file);

/// Makes a module on the CPU in eval mode with the weights of a bundle. Throws ModelError.
nn::Model load_module(const architecture::Architecture& architecture, const model::Safetensors& weights);

}  // namespace ventris::backend
