#pragma once
#include <functional>
#include <string>
#include <utility>

#include "architecture/architecture.h"
#include "nn/seq2seq.h"
#include "text/tokenizer.h"

namespace torch::jit {
struct Module;
}

/// What makes modules of a family's settings: the torch half of architecture/families.def.
namespace ventris::backend {

struct Family {
  /// A module on the CPU with the parameters its constructor gives it; `architecture` is of this family, with its
  /// vocabularies. Throws std::invalid_argument for sizes that do not fit each other.
  std::function<nn::Seq2Seq(const architecture::Architecture& architecture)> make_module;
  /// The model as TorchScript; empty = this family cannot be exported.
  std::function<torch::jit::Module(nn::Seq2SeqImpl& model, const text::SpecialIds& ids)> to_script = {};
};

/// The family of this name. Throws std::out_of_range if there is none: architecture::parse knows no other names.
const Family& family(const std::string& name);

/// Makes one more family known, beside architecture::add_family. Throws std::logic_error if there is one of that name.
void add_family(const std::string& name, Family family);

/// Adds a family while the program starts: a global variable of this type in the family's file.
struct AddedFamily {
  AddedFamily(const std::string& name, Family family) { add_family(name, std::move(family)); }
};

/// A model on the CPU: make_module() without and with initialise(), which draws from torch's default generator.
nn::Seq2Seq make_module(const architecture::Architecture& architecture);
nn::Seq2Seq make_model(const architecture::Architecture& architecture);

}  // namespace ventris::backend
