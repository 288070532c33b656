#include "model/parameter_groups.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>

namespace ventris::model {
namespace {

constexpr std::array<std::string_view, 5> kOrder{"encoder", "decoder", "src_embed", "tgt_embed", "generator"};
constexpr std::string_view kLayers = "layers.";

struct Owner {
  std::string module;
  std::string part;
};

/// "encoder.layers.3.norm.weight" -> encoder, layers.3; "src_embed.0.lut.weight" -> src_embed, 0.lut.
Owner owner_of(const std::string& name) {
  const size_t dot = std::min(name.find('.'), name.size());
  const std::string rest = name.substr(std::min(dot + 1, name.size()));
  if (rest.starts_with(kLayers)) return {name.substr(0, dot), rest.substr(0, rest.find('.', kLayers.size()))};
  const size_t last = rest.rfind('.');
  return {name.substr(0, dot), last == std::string::npos ? rest : rest.substr(0, last)};
}

/// Groups in the order of their first tensor, found by name.
class Groups {
 public:
  ParameterGroup& named(const std::string& name) {
    const auto [place, fresh] = places_.emplace(name, all.size());
    if (fresh) all.emplace_back().name = name;
    return all[place->second];
  }
  std::vector<ParameterGroup> all;

 private:
  std::map<std::string, size_t> places_;
};

void count(ParameterGroup& group, const TensorSummary& tensor) {
  group.tensors += 1;
  if (tensor.tied_to.empty()) {
    group.parameters += elements_of(tensor.shape);
  } else {
    group.tied_to.push_back(tensor.tied_to);
  }
}

}  // namespace

std::vector<ParameterGroup> group_parameters(const std::vector<TensorSummary>& tensors) {
  Groups modules;
  std::map<std::string, Groups> parts;
  for (const TensorSummary& tensor : tensors) {
    const auto [module_name, part_name] = owner_of(tensor.name);
    count(modules.named(module_name), tensor);
    count(parts[module_name].named(part_name), tensor);
  }
  for (ParameterGroup& module : modules.all) module.parts = std::move(parts[module.name].all);
  const auto rank = [](const ParameterGroup& one) {
    return std::find(kOrder.begin(), kOrder.end(), one.name) - kOrder.begin();
  };
  std::ranges::stable_sort(modules.all, {}, rank);
  return std::move(modules.all);
}

}  // namespace ventris::model
