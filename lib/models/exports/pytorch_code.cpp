#include "exports/pytorch_code.h"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "architecture/sinusoids.h"
#include "architecture/transformer_parts.h"
#include "core/error.h"
#include "exports/annotated.h"
#include "exports/pytorch_names.h"
#include "exports/transformer_settings.h"
#include "model/floats.h"

namespace ventris::exports {
namespace {

using architecture::TransformerArchitecture;
using architecture::TransformerOptions;
using architecture::Tying;
using nlohmann::json;

constexpr const char* kAnnotated = "annotated";
constexpr const char* kCodes[] = {"torch.nn.Transformer", "attention-is-all-you-need-pytorch"};

const PytorchNames& names_of(const std::string& code) {
  for (const PytorchNames& names : all_pytorch_names()) {
    if (names.code == code) return names;
  }
  throw std::logic_error("exports: no names of the code " + code);
}

/// The settings of the model, if the code computes what they say.
TransformerOptions settings_for(const PytorchNames& names, const model::Package& package) {
  TransformerOptions theirs;
  names.settings(theirs);
  OtherProgram program{names.code, {}};
  const json required = TransformerArchitecture(theirs).to_json(), defaults = TransformerArchitecture().to_json();
  for (const auto& [key, value] : required.items()) {
    if (value != defaults.at(key)) program.has[key] = json::array({value});
  }
  TransformerOptions options = transformer_for(program, package);
  const json found = TransformerArchitecture(options).to_json();
  for (const auto& [key, value] : required.items()) {
    const bool needed = value != defaults.at(key) || key == "norm_epsilon";
    const bool added = key == "attention_bias" && value == true;  // biases that the model does not have are 0
    if (!needed || added || found.at(key) == value) continue;
    fail<ModelError>(package.path, "/config.json: model.", key, ": ", names.code, " has only ", value.dump(),
                     ", found ", found.at(key).dump(), "; train a model with this setting");
  }
  if (names.scales_output && options.tying != Tying::kNone) {
    fail<ModelError>(package.path, "/config.json: model.tying: ", names.code,
                     " divides the scores of tied tables by sqrt(d_model), which this model does not; train one with ",
                     "\"none\"");
  }
  options.attention_bias = theirs.attention_bias;
  return options;
}

/// Puts our tensors into theirs, which may have several of ours one after the other.
class StateDict {
 public:
  StateDict(const PytorchNames& names, const model::Bundle& bundle, const TransformerOptions& options)
      : names_(names), bundle_(bundle), options_(options), tied_(architecture::tied_tensors(options.tying)) {}

  std::vector<NamedTensor> run() {
    architecture::each_transformer_tensor(
        options_, options_.max_positions,
        [&](const std::string& name, const std::vector<int64_t>& shape) { add(name, shape); });
    for (const std::string& name : order_) tensors_.push_back({name, shapes_.at(name), shared(values_.at(name))});
    for (auto [name, shape] : names_.sinusoids) {
      std::ranges::replace(shape, 0, options_.d_model);
      const int64_t positions = model::elements_of(shape) / options_.d_model;
      tensors_.push_back({name, shape, shared(architecture::sinusoid_table(positions, options_.d_model))});
    }
    return std::move(tensors_);
  }

 private:
  static std::shared_ptr<const std::vector<float>> shared(std::vector<float> values) {
    return std::make_shared<const std::vector<float>>(std::move(values));
  }

  std::vector<float> ours(const std::string& name, const std::vector<int64_t>& shape) const {
    const auto tied = tied_.find(name);
    const std::string& stored = tied == tied_.end() ? name : tied->second;
    if (!bundle_.weights.contains(stored)) return std::vector<float>(static_cast<size_t>(model::elements_of(shape)));
    return model::floats_of(bundle_.weights, bundle_.weights.at(stored));
  }

  void add(const std::string& name, const std::vector<int64_t>& shape) {
    const TensorPlace place = names_.place(name);
    const std::vector<float> values = ours(name, shape);
    if (place.name.empty()) return check_zeros(name, values);
    std::vector<int64_t> theirs = shape;
    theirs[0] *= place.parts;
    if (shapes_.emplace(place.name, theirs).second) order_.push_back(place.name);
    std::vector<float>& all = values_[place.name];
    all.resize(static_cast<size_t>(model::elements_of(theirs)));
    std::ranges::copy(values, all.begin() + place.part * static_cast<std::ptrdiff_t>(values.size()));
  }

  void check_zeros(const std::string& name, const std::vector<float>& values) const {
    if (std::ranges::all_of(values, [](float value) { return value == 0; })) return;
    fail<ModelError>(bundle_.package.path, ": tensor '", name, "': ", names_.code,
                     " has no such part, so it must be 0, but it is not");
  }

  const PytorchNames& names_;
  const model::Bundle& bundle_;
  const TransformerOptions& options_;
  std::map<std::string, std::string> tied_;
  std::vector<std::string> order_;  // of their names
  std::map<std::string, std::vector<int64_t>> shapes_;
  std::map<std::string, std::vector<float>> values_;
  std::vector<NamedTensor> tensors_;
};

}  // namespace

std::vector<std::string> pytorch_codes() {
  std::vector<std::string> codes{kAnnotated};
  codes.insert(codes.end(), std::begin(kCodes), std::end(kCodes));
  return codes;
}

std::vector<NamedTensor> state_dict_for(const std::string& code, const model::Bundle& bundle) {
  if (code == kAnnotated) return annotated_transformer(bundle);
  const PytorchNames& names = names_of(code);
  const TransformerOptions options = settings_for(names, bundle.package);
  return StateDict(names, bundle, options).run();
}

}  // namespace ventris::exports
