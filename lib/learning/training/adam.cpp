#include "training/adam.h"

#include <cmath>

#include "backend/module_weights.h"
#include "core/error.h"

namespace ventris::training {

Adam::Adam(std::vector<NamedParameter> parameters, const settings::OptimizerConfig& config)
    : parameters_(std::move(parameters)), config_(config) {
  for (const auto& [name, value] : parameters_) {
    values_.push_back(value.detach());  // shares the storage: the kernel updates the parameter itself
    first_.push_back(torch::zeros_like(values_.back()));
    second_.push_back(torch::zeros_like(values_.back()));
  }
}

void Adam::step(const std::vector<torch::Tensor>& gradients, double learning_rate) {
  const torch::NoGradGuard no_grad;
  ++updates_;
  const std::vector<torch::Tensor> steps(values_.size(),
                                         torch::full({}, static_cast<double>(updates_), values_.front().options()));
  const std::optional<at::Tensor> none;  // no gradient scaler
  if (config_.kind == settings::OptimizerKind::kAdamW) {
    at::_fused_adamw_(values_, gradients, first_, second_, {}, steps, learning_rate, config_.beta1, config_.beta2,
                      config_.weight_decay, config_.epsilon, /*amsgrad=*/false, /*maximize=*/false, none, none);
  } else {
    at::_fused_adam_(values_, gradients, first_, second_, {}, steps, learning_rate, config_.beta1, config_.beta2,
                     config_.weight_decay, config_.epsilon, /*amsgrad=*/false, /*maximize=*/false, none, none);
  }
}

std::string Adam::save() const {
  backend::TensorFile file;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    file.add("first." + parameters_[i].name, first_[i]);
    file.add("second." + parameters_[i].name, second_[i]);
  }
  return file.bytes({{"updates", std::to_string(updates_)}});
}

void Adam::load(const model::Safetensors& state) {
  const torch::NoGradGuard no_grad;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    backend::copy_into(first_[i], state, "first." + parameters_[i].name);
    backend::copy_into(second_[i], state, "second." + parameters_[i].name);
  }
  updates_ = backend::saved_updates(state);
}

double global_norm(const std::vector<torch::Tensor>& gradients) {
  std::vector<torch::Tensor> defined;
  for (const auto& gradient : gradients) {
    if (gradient.defined()) defined.push_back(gradient);
  }
  if (defined.empty()) return 0;
  const auto norms = at::_foreach_norm(defined, 2);
  return torch::stack(norms).norm().item<double>();
}

}  // namespace ventris::training
