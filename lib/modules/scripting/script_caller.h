#pragma once
#include <torch/script.h>

#include <string>
#include <vector>

namespace ventris::scripting {

/// Calls the methods of a TorchScript file, and checks what they return. All functions throw ModelError with the name
/// of the file.
class ScriptCaller {
 public:
  /// Loads the file `path`, which messages call `name`, in eval mode. Throws ModelError if it cannot be loaded.
  ScriptCaller(const std::string& path, const std::string& name, torch::Device device);

  /// Runs `method`, which returns a tensor.
  torch::Tensor call(const char* method, std::vector<c10::IValue> inputs) const;

  /// The same for a method that returns states [batch, len, width].
  torch::Tensor states(const char* method, std::vector<c10::IValue> inputs, int64_t batch, int64_t len) const;

  /// The same for a method that returns a table [rows, columns].
  torch::Tensor table(const char* method, std::vector<c10::IValue> inputs, int64_t rows, int64_t columns) const;

  /// What the generator makes of hidden states [..., width]: log-probabilities [..., vocab].
  torch::Tensor log_probs(const torch::Tensor& hidden, int64_t vocab) const;

 private:
  std::string name_;
  torch::jit::Module script_;
};

}  // namespace ventris::scripting
