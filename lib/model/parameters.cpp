#include "model/parameters.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace ventris::model {
namespace {

constexpr std::array<std::string_view, 5> kOrder{"encoder", "decoder", "src_embed", "tgt_embed", "generator"};
constexpr std::string_view kLayers = "layers.";

struct Place {
  std::string module;
  std::string part;
};

/// "encoder.layers.3.norm.weight" -> encoder, layers.3; "src_embed.0.lut.weight" -> src_embed, 0.lut.
Place place_of(const std::string& name) {
  const size_t dot = std::min(name.find('.'), name.size());
  const std::string rest = name.substr(std::min(dot + 1, name.size()));
  if (rest.starts_with(kLayers)) return {name.substr(0, dot), rest.substr(0, rest.find('.', kLayers.size()))};
  const size_t last = rest.rfind('.');
  return {name.substr(0, dot), last == std::string::npos ? rest : rest.substr(0, last)};
}

ParameterGroup& named(std::vector<ParameterGroup>& groups, const std::string& name) {
  const auto found =
      std::find_if(groups.begin(), groups.end(), [&](const ParameterGroup& one) { return one.name == name; });
  if (found != groups.end()) return *found;
  groups.emplace_back().name = name;
  return groups.back();
}

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
  std::vector<ParameterGroup> modules;
  for (const TensorSummary& tensor : tensors) {
    const auto [module_name, part_name] = place_of(tensor.name);
    ParameterGroup& module = named(modules, module_name);
    count(module, tensor);
    count(named(module.parts, part_name), tensor);
  }
  const auto rank = [](const ParameterGroup& one) {
    return std::find(kOrder.begin(), kOrder.end(), one.name) - kOrder.begin();
  };
  std::stable_sort(modules.begin(), modules.end(), [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  return modules;
}

}  // namespace ventris::model
