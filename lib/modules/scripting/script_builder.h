#pragma once
#include <torch/script.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "nn/dropout.h"
#include "text/tokenizer.h"

/// What the exports of all families have in common: building TorchScript modules, and the source of the simplest ones.
namespace ventris::scripting {

/// Builds jit modules that mirror nn modules: one class per kind of module, one instance per module.
class ScriptBuilder {
 public:
  using Module = torch::jit::Module;
  using Children = std::vector<std::pair<std::string, Module>>;
  using NamedTensors = std::vector<std::pair<std::string, torch::Tensor>>;

  /// What an instance has of its own.
  struct Tensors {
    NamedTensors parameters;
    NamedTensors buffers;
    std::optional<double> p;  ///< dropout probability of a Dropout
  };

  /// An instance of the class `type`. The first call for a type defines it: its methods are `source`, its members those
  /// of this instance. Later instances must have the same members.
  Module make(const std::string& type, const Tensors& tensors, const Children& children, const std::string& source);

  /// A linear layer; one without a bias is of a class of its own.
  Module linear(const torch::nn::Module& module);
  Module dropout(const nn::Dropout& module);
  Module embedding(const torch::nn::Module& module);
  /// `proj` is the linear layer of the generator.
  Module generator(const torch::nn::Module& proj);

  /// A ModuleList: children "0", "1", ... Lists with different lengths or contents need different types.
  Module list(const std::string& type, std::vector<Module> items);

 private:
  std::shared_ptr<torch::jit::CompilationUnit> unit_ = std::make_shared<torch::jit::CompilationUnit>();
  std::map<std::string, c10::ClassTypePtr> types_;
};

/// The parameters of a module, without those of its children.
ScriptBuilder::NamedTensors own_parameters(const torch::nn::Module& module);
/// Its buffers, likewise.
ScriptBuilder::NamedTensors own_buffers(const torch::nn::Module& module);

/// TorchScript sources that do not depend on the family.
namespace script_source {

std::string linear(bool bias = true);
std::string dropout();
std::string embedding();
std::string generator(bool widen = false);  ///< `widen`: the log-probabilities are f32, whatever the weights are

}  // namespace script_source

}  // namespace ventris::scripting
