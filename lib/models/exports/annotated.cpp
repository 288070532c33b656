#include "exports/annotated.h"

#include <cmath>
#include <map>

#include "architecture/sinusoids.h"
#include "architecture/transformer_parts.h"
#include "exports/transformer_settings.h"
#include "model/floats.h"

namespace ventris::exports {
namespace {

using architecture::Positions;
using Values = std::shared_ptr<const std::vector<float>>;

constexpr int64_t kPositions = 5000;  // of the sinusoids in The Annotated Transformer

Values shared(std::vector<float> values) { return std::make_shared<const std::vector<float>>(std::move(values)); }

/// "encoder.norm.weight" -> "encoder.norm.a_2"; other names stay.
std::string renamed(const std::string& name) {
  for (const auto& [ours, theirs] : {std::pair{"norm.weight", "norm.a_2"}, {"norm.bias", "norm.b_2"}}) {
    const std::string end = ours;
    if (name.ends_with(end)) return name.substr(0, name.size() - end.size()) + theirs;
  }
  return name;
}

class Collector {
 public:
  Collector(const model::Safetensors& weights, const architecture::TransformerOptions& options)
      : weights_(weights), options_(options), tied_(architecture::tied_tensors(options.tying)) {}

  void add(const std::string& name, const std::vector<int64_t>& shape) {
    tensors.push_back({renamed(name), shape, values_of(name, shape)});
  }
  /// `fill` writes a row.
  void add_sinusoids(void (*fill)(int64_t, int64_t, float*)) {
    const Values table = shared(architecture::sinusoid_table(kPositions, options_.d_model, fill));
    for (const char* name : {"src_embed.1.pe", "tgt_embed.1.pe"}) {
      tensors.push_back({name, {1, kPositions, options_.d_model}, table});
    }
  }

  std::vector<NamedTensor> tensors;

 private:
  /// The tensor whose values one of these names has.
  std::string stored_name(const std::string& name) const {
    const auto tied = tied_.find(name);
    return tied == tied_.end() ? name : tied->second;
  }

  Values values_of(const std::string& name, const std::vector<int64_t>& shape) {
    Values& values = known_[stored_name(name)];
    if (values == nullptr) values = shared(read(stored_name(name), shape));
    return values;
  }

  std::vector<float> read(const std::string& name, const std::vector<int64_t>& shape) const {
    if (!weights_.contains(name)) return std::vector<float>(static_cast<size_t>(model::elements_of(shape)));
    std::vector<float> values = model::floats_of(weights_, weights_.at(name));
    if (!name.ends_with("norm.weight")) return values;
    const auto width = static_cast<double>(options_.d_model);
    const auto ratio = static_cast<float>(std::sqrt(width / (width - 1)));  // of the two deviations
    for (float& value : values) value *= ratio;
    return values;
  }

  const model::Safetensors& weights_;
  const architecture::TransformerOptions& options_;
  std::map<std::string, std::string> tied_;
  std::map<std::string, Values> known_;
};

}  // namespace

std::vector<NamedTensor> annotated_transformer(const model::Bundle& bundle) {
  const OtherProgram program{"The Annotated Transformer",
                             {{"positions", {"learned", "sinusoidal_halves"}}, {"zero_start", {true}}}};
  architecture::TransformerOptions options = transformer_for(program, bundle.package);
  options.attention_bias = true;  // biases that the model does not have are 0
  Collector collector(bundle.weights, options);
  architecture::each_transformer_tensor(
      options, options.max_positions,
      [&](const std::string& name, const std::vector<int64_t>& shape) { collector.add(name, shape); });
  if (options.positions == Positions::kSinusoidal) collector.add_sinusoids(architecture::sinusoids);
  if (options.positions == Positions::kHalvedSinusoidal) collector.add_sinusoids(architecture::halved_sinusoids);
  return std::move(collector.tensors);
}

std::string safetensors_file(const std::vector<NamedTensor>& tensors) {
  std::vector<model::TensorView> views;
  for (const NamedTensor& tensor : tensors) {
    const std::string_view bytes(reinterpret_cast<const char*>(tensor.values->data()),
                                 sizeof(float) * tensor.values->size());
    views.push_back({tensor.name, model::DType::kF32, tensor.shape, bytes});
  }
  return model::write_safetensors(views, {{"format", "pt"}});
}

}  // namespace ventris::exports
