#include "preparation/fewer_layers.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <map>
#include <nlohmann/json.hpp>

#include "core/error.h"

namespace ventris::preparation {
namespace {

/// A stack of layers: the setting with their number, and what the names of their tensors begin with, before the number.
struct Stack {
  const char *setting, *name, *prefix;
};
constexpr std::array<Stack, 3> kStacks{{{"encoder_layers", "encoder layers", "encoder.layers."},
                                        {"decoder_layers", "decoder layers", "decoder.layers."},
                                        {"layers", "layers", "bert.encoder.layer."}}};

/// By their prefixes, the layers to take of each stack that becomes smaller.
std::map<std::string, std::vector<int64_t>> taken_layers(const settings::RunConfig& config,
                                                         const model::Package& base) {
  std::map<std::string, std::vector<int64_t>> taken;
  const nlohmann::json wanted = config.model->to_json(), has = base.config.architecture->to_json();
  for (const Stack& stack : kStacks) {
    if (!can_be_fewer(config.model->family(), stack.setting) || !has.contains(stack.setting)) continue;
    const int64_t number = wanted.at(stack.setting), all = has.at(stack.setting);
    if (number < all) taken[stack.prefix] = spread_layers(all, number);
  }
  return taken;
}

/// The name in the bundle of a tensor of the new model.
std::string name_in_base(const std::string& name, const std::map<std::string, std::vector<int64_t>>& taken) {
  for (const auto& [prefix, layers] : taken) {
    if (!name.starts_with(prefix)) continue;
    const char *begin = name.data() + prefix.size(), *end = name.data() + name.size();
    size_t layer = 0;
    const char* rest = std::from_chars(begin, end, layer).ptr;
    return prefix + std::to_string(layers.at(layer)) + std::string(rest, end);
  }
  return name;
}

}  // namespace

bool can_be_fewer(const std::string& family, const std::string& setting) {
  if (family == "bert" || family == "bert-classifier") return setting == "layers";
  return family.starts_with("transformer") && (setting == "encoder_layers" || setting == "decoder_layers");
}

std::vector<int64_t> spread_layers(int64_t has, int64_t wanted) {
  std::vector<int64_t> layers;
  for (int64_t i = 0; i < wanted; ++i) {
    layers.push_back(wanted == 1 ? 0 : (2 * i * (has - 1) + wanted - 1) / (2 * (wanted - 1)));
  }
  return layers;
}

model::Safetensors weights_with_layers(const settings::RunConfig& config, const model::Bundle& base) {
  const auto taken = taken_layers(config, base.package);
  if (taken.empty()) return base.weights;
  const architecture::Architecture& has = *base.package.config.architecture;
  std::map<std::string, std::string> names;
  const auto add = [&](const std::string& name, const std::vector<int64_t>& shape) {
    const std::string stored = name_in_base(name, taken);
    const bool found = base.weights.contains(stored);
    if (!found || base.weights.at(stored).shape != shape) {
      fail<ConfigError>("model: with fewer layers than ", base.package.path,
                        ", which the run starts from (training.finetune_from), ", name, " needs the shape ",
                        model::shape_text(shape), ", but there ", stored, found ? " has " : " is missing",
                        found ? model::shape_text(base.weights.at(stored).shape) : "",
                        "; leave encoder_layers, decoder_layers and layers out");
    }
    names[name] = stored;
  };
  config.model->with_vocabularies(has.src_vocab(), has.tgt_vocab())->each_tensor(add);
  return base.weights.with_names(names);
}

std::string layers_taken(const settings::RunConfig& config, const model::Package& base) {
  const auto taken = taken_layers(config, base);
  const nlohmann::json has = base.config.architecture->to_json();
  std::string text;
  for (const Stack& stack : kStacks) {
    const auto found = taken.find(stack.prefix);
    if (found == taken.end()) continue;
    std::string numbers;
    for (const int64_t layer : found->second) numbers += (numbers.empty() ? "" : ", ") + std::to_string(layer + 1);
    text += fmt::format("{}{} {} of {}", text.empty() ? "" : "; ", stack.name, numbers,
                        has.at(stack.setting).get<int64_t>());
  }
  return text;
}

}  // namespace ventris::preparation
