#include "training/ema.h"

#include <algorithm>

#include "backend/module_weights.h"

namespace ventris::training {

Ema::Ema(const std::vector<NamedParameter>& parameters, double decay) : decay_(decay) {
  const torch::NoGradGuard no_grad;
  for (const auto& [name, value] : parameters) {
    weights_.push_back(value.detach());
    averages_.push_back(value.detach().clone());
    average_.push_back({name, averages_.back()});
  }
}

void Ema::update() {
  const torch::NoGradGuard no_grad;
  const auto updates = static_cast<double>(++updates_);
  at::_foreach_lerp_(averages_, weights_, 1 - std::min(decay_, (1 + updates) / (10 + updates)));
}

std::string Ema::save() const {
  backend::TensorFile file;
  for (const auto& [name, value] : average_) file.add(name, value);
  return file.bytes({{"updates", std::to_string(updates_)}});
}

void Ema::load(const model::Safetensors& state) {
  for (auto& [name, value] : average_) backend::copy_into(value, state, name);
  updates_ = backend::saved_updates(state);
}

}  // namespace ventris::training
