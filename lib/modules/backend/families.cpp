#include "backend/families.h"

#include <map>
#include <stdexcept>
#include <utility>

#include "backend/module_scorer.h"
#include "core/error.h"

namespace ventris::backend {

#define FAMILY(identifier, name) Family identifier##_family();
#include "architecture/families.def"
#undef FAMILY

namespace {

std::map<std::string, Family>& table() {
  static std::map<std::string, Family> families{
#define FAMILY(identifier, name) {name, identifier##_family()},
#include "architecture/families.def"
#undef FAMILY
  };
  return families;
}

}  // namespace

const Family& family(const std::string& name) { return table().at(name); }

void add_family(const std::string& name, Family family) {
  if (!table().emplace(name, std::move(family)).second) {
    throw std::logic_error("backend::add_family: there is already a family '" + name + "'");
  }
}

nn::Model make_module(const architecture::Architecture& architecture) {
  return family(architecture.family()).make_module(architecture);
}

nn::Model make_model(const architecture::Architecture& architecture) {
  nn::Model model = make_module(architecture);
  model->initialise();
  return model;
}

std::unique_ptr<decoding::ScorerFactory> make_factory(const nn::Model& model,
                                                      const architecture::Architecture& architecture,
                                                      const ScorerOptions& options, const std::string& where) {
  architecture::check_translates(architecture, where);
  const Family& row = family(architecture.family());
  if (row.make_factory) return row.make_factory(model, architecture, options);
  return make_module_factory(as_seq2seq(model, architecture, where), options);
}

nn::Seq2Seq as_seq2seq(const nn::Model& model, const architecture::Architecture& architecture,
                       const std::string& where) {
  architecture::check_translates(architecture, where);
  auto translating = std::dynamic_pointer_cast<nn::Seq2SeqImpl>(model);
  if (!translating) {
    fail<ModelError>(where, ": expected a model that writes token by token; models of the family '",
                     architecture.family(), "' write all tokens at once");
  }
  return translating;
}

}  // namespace ventris::backend
