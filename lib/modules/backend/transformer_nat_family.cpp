#include <torch/script.h>

#include "architecture/transformer_nat_options.h"
#include "backend/families.h"
#include "backend/module_nat_scorer.h"
#include "backend/transformer_sizes.h"
#include "families/transformer_nat.h"
#include "scripting/nat_script_model.h"
#include "scripting/transformer_nat_script_source.h"
#include "scripting/transformer_script.h"

namespace ventris::backend {
namespace {

using scripting::TransformerScript;

const architecture::NatOptions& options_of(const architecture::Architecture& architecture) {
  return dynamic_cast<const architecture::NatArchitecture&>(architecture).options;
}

nn::Model make_nat(const architecture::Architecture& architecture) {
  return std::make_shared<families::NonAutoregressiveImpl>(options_of(architecture));
}

torch::jit::Module to_script(nn::ModelImpl& model, const core::SpecialIds& ids) {
  auto& nat = dynamic_cast<families::NonAutoregressiveImpl&>(model);
  const scripting::TransformerNatScriptSource source{nat.options, ids};
  TransformerScript script(nat.options.transformer, ids);
  TransformerScript::Children children = script.children(nat.parts());
  if (!nat.length.is_empty()) {
    const TransformerScript::Children proj{{"proj", script.linear(*nat.length->proj)}};
    children.emplace_back("length", script.make("LengthPredictor", proj, source.length_predictor()));
  }
  return script.make("NonAutoregressive", children, source.model());
}

std::unique_ptr<decoding::ScorerFactory> make_scorers(const nn::Model& model,
                                                      const architecture::Architecture& architecture,
                                                      const ScorerOptions& options) {
  return make_nat_factory(std::dynamic_pointer_cast<nn::NatModelImpl>(model), options_of(architecture), options);
}

nn::Model load_script(const std::string& path, const std::string& name, const architecture::Architecture& architecture,
                      torch::Device device) {
  const architecture::NatOptions& options = options_of(architecture);
  const int64_t classes = options.predicts_length() ? options.length_classes() : 0;
  return scripting::load_nat_script_model(path, name, architecture.tgt_vocab(), classes, device);
}

ModelSizes sizes_of_nat(const architecture::Architecture& architecture) {
  return transformer_sizes(options_of(architecture).transformer);
}

}  // namespace

Family transformer_nat_family() { return {make_nat, to_script, make_scorers, load_script, sizes_of_nat}; }

}  // namespace ventris::backend
