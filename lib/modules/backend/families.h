#pragma once
#include <functional>
#include <string>
#include <utility>

#include "architecture/architecture.h"
#include "backend/module_memory.h"
#include "backend/scorer_tools.h"
#include "decoding/step_scorer.h"
#include "nn/seq2seq.h"
#include "text/tokenizer.h"

namespace torch::jit {
struct Module;
}

/// Makes modules from the settings of a family: the torch half of architecture/families.def.
namespace ventris::backend {

struct Family {
  /// Makes a module on the CPU, with the parameters that its constructor sets. `architecture` must be of this family
  /// and know its vocabularies. Throws std::invalid_argument for inconsistent sizes.
  std::function<nn::Model(const architecture::Architecture& architecture)> make_module;
  /// Converts a model to TorchScript; empty = this family cannot be exported. Only for families that translate.
  std::function<torch::jit::Module(nn::ModelImpl& model, const core::SpecialIds& ids)> to_script = {};
  /// Makes decoders and scorers of a model, in eval mode and on options.device; empty = a search, token by token.
  std::function<std::unique_ptr<decoding::ScorerFactory>(
      const nn::Model& model, const architecture::Architecture& architecture, const ScorerOptions& options)>
      make_factory = {};
  /// Loads an export of to_script as a model; empty = load_script_model (scripting/script_model.h), whose errors apply.
  std::function<nn::Model(const std::string& path, const std::string& name,
                          const architecture::Architecture& architecture, torch::Device device)>
      load_script = {};
  /// The sizes that decide how much memory a search needs (backend/module_memory.h); empty = assumed_sizes().
  std::function<ModelSizes(const architecture::Architecture& architecture)> sizes = {};
};

/// The family with this name. Throws std::out_of_range if there is none (architecture::parse accepts no such names).
const Family& family(const std::string& name);

/// Adds a family, in addition to architecture::add_family. Throws std::logic_error if the name is taken.
void add_family(const std::string& name, Family family);

/// Adds a family when the program starts. The file of the family has a global variable of this type.
struct AddedFamily {
  AddedFamily(const std::string& name, Family family) { add_family(name, std::move(family)); }
};

/// A model on the CPU. make_module() keeps the parameters of the constructor; make_model() also calls initialise(),
/// which draws from torch's default generator.
nn::Model make_module(const architecture::Architecture& architecture);
nn::Model make_model(const architecture::Architecture& architecture);

/// What translates and scores with a model, which must be in eval mode and on options.device. Throws as
/// architecture::check_translates() does.
std::unique_ptr<decoding::ScorerFactory> make_factory(const nn::Model& model,
                                                      const architecture::Architecture& architecture,
                                                      const ScorerOptions& options, const std::string& where);

/// The same model, as one that translates token by token. Throws ModelError if models of this family do not; the
/// message begins with `where`.
nn::Seq2Seq as_seq2seq(const nn::Model& model, const architecture::Architecture& architecture,
                       const std::string& where);

}  // namespace ventris::backend
