#pragma once
#include <torch/torch.h>

#include <list>
#include <map>
#include <string>
#include <vector>

#include "architecture/architecture.h"
#include "model/safetensors.h"
#include "nn/seq2seq.h"

/// Between torch::nn modules and what lies on disk.
namespace ventris::backend {

/// Tensors on their way into a safetensors file; keeps contiguous CPU copies alive until the bytes are made.
class TensorFile {
 public:
  void add(const std::string& name, const torch::Tensor& tensor);
  std::string bytes(const std::map<std::string, std::string>& metadata) const;

 private:
  std::list<torch::Tensor> tensors_;
  std::vector<model::TensorView> views_;
};

/// All parameters by name; one tied to an earlier one is an alias in the metadata. Buffers (the sinusoidal positions)
/// are left out: the configuration says how to make them.
std::string save_weights(const torch::nn::Module& module);

/// Takes every parameter from the file. Throws ModelError if one is missing, has another shape or type, or if the file
/// holds a tensor that the module does not have.
void load_weights(torch::nn::Module& module, const model::Safetensors& weights);

/// Copies the stored tensor of this name (f32 or bf16) into one of the same shape; throws ModelError otherwise.
void copy_into(torch::Tensor& tensor, const model::Safetensors& file, const std::string& name);

/// The number under "updates" in a file's metadata; throws ModelError if there is none.
int64_t saved_updates(const model::Safetensors& file);

/// A module on the CPU in eval mode with a bundle's weights. Throws ModelError.
nn::Seq2Seq load_module(const architecture::Architecture& architecture, const model::Safetensors& weights);

}  // namespace ventris::backend
