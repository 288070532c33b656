#include "scripting/script_builder.h"

#include <fmt/format.h>

namespace ventris::scripting {

using torch::jit::Module;

Module ScriptBuilder::make(const std::string& type, const Tensors& tensors, const Children& children,
                           const std::string& source) {
  if (const auto known = types_.find(type); known != types_.end()) {
    Module module(unit_, known->second);
    module.setattr("training", false);
    if (tensors.p) module.setattr("p", *tensors.p);
    for (const auto& [name, value] : tensors.parameters) module.setattr(name, value);
    for (const auto& [name, value] : tensors.buffers) module.setattr(name, value);
    for (const auto& [name, value] : children) module.setattr(name, value._ivalue());
    return module;
  }
  Module module(c10::QualifiedName("__torch__.ventris." + type), unit_, /*shouldMangle=*/false);
  module.register_attribute("training", c10::BoolType::get(), false);
  if (tensors.p) module.register_attribute("p", c10::FloatType::get(), *tensors.p);
  for (const auto& [name, value] : tensors.parameters) module.register_parameter(name, value, /*is_buffer=*/false);
  for (const auto& [name, value] : tensors.buffers) module.register_buffer(name, value);
  for (const auto& [name, value] : children) module.register_module(name, value);
  if (!source.empty()) module.define(source);
  types_[type] = module.type();
  return module;
}

ScriptBuilder::NamedTensors own_parameters(const torch::nn::Module& module) {
  ScriptBuilder::NamedTensors found;
  for (const auto& item : module.named_parameters(/*recurse=*/false))
    found.emplace_back(item.key(), item.value().detach());
  return found;
}

ScriptBuilder::NamedTensors own_buffers(const torch::nn::Module& module) {
  ScriptBuilder::NamedTensors found;
  for (const auto& item : module.named_buffers(/*recurse=*/false)) found.emplace_back(item.key(), item.value());
  return found;
}

Module ScriptBuilder::linear(const torch::nn::Module& module) {
  const NamedTensors parameters = own_parameters(module);
  const bool bias = parameters.size() == 2;
  return make(bias ? "Linear" : "LinearWithoutBias", {parameters, {}, {}}, {}, script_source::linear(bias));
}

Module ScriptBuilder::dropout(const nn::Dropout& module) {
  Tensors tensors;
  tensors.p = module->p;
  return make("Dropout", tensors, {}, script_source::dropout());
}

Module ScriptBuilder::embedding(const torch::nn::Module& module) {
  return make("Embedding", {own_parameters(module), {}, {}}, {}, script_source::embedding());
}

Module ScriptBuilder::generator(const torch::nn::Module& proj) {
  const bool f32 = proj.parameters().front().scalar_type() == torch::kFloat;
  return make("Generator", {}, {{"proj", linear(proj)}}, script_source::generator(/*widen=*/!f32));
}

Module ScriptBuilder::list(const std::string& type, std::vector<Module> items) {
  Children children;
  for (size_t i = 0; i < items.size(); ++i) children.emplace_back(std::to_string(i), std::move(items[i]));
  return make(type, {}, children, "");
}

namespace script_source {

std::string linear(bool bias) {
  return fmt::format(R"(
def forward(self, x: Tensor) -> Tensor:
    return torch.linear(x, self.weight{})
)",
                     bias ? ", self.bias" : "");
}

std::string dropout() {
  return R"(
def forward(self, x: Tensor) -> Tensor:
    return torch.dropout(x, self.p, self.training)
)";
}

std::string embedding() {
  return R"(
def forward(self, ids: Tensor) -> Tensor:
    return torch.embedding(self.weight, ids)
)";
}

std::string generator(bool widen) {
  return fmt::format(R"(
def forward(self, x: Tensor) -> Tensor:
    return torch.log_softmax(self.proj.forward(x), -1{})
)",
                     widen ? ", dtype=6" : "");
}

}  // namespace script_source

}  // namespace ventris::scripting
