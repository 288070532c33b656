#include "backend/families.h"

#include <map>
#include <stdexcept>

namespace ventris::backend {

#define FAMILY(name) Family name##_family();
#include "architecture/families.def"
#undef FAMILY

namespace {

std::map<std::string, Family>& table() {
  static std::map<std::string, Family> families{
#define FAMILY(name) {#name, name##_family()},
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

nn::Seq2Seq make_module(const architecture::Architecture& architecture) {
  return family(architecture.family()).make_module(architecture);
}

nn::Seq2Seq make_model(const architecture::Architecture& architecture) {
  nn::Seq2Seq model = make_module(architecture);
  model->initialise();
  return model;
}

}  // namespace ventris::backend
