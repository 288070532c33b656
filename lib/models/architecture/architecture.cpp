#include "architecture/architecture.h"

#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "core/error.h"
#include "core/fields.h"

namespace ventris::architecture {

#define FAMILY(identifier, name) ArchitecturePtr parse_##identifier(core::JsonReader& reader);
#include "architecture/families.def"
#undef FAMILY

namespace {

std::map<std::string, Parser>& table() {
  static std::map<std::string, Parser> families{
#define FAMILY(identifier, name) {name, parse_##identifier},
#include "architecture/families.def"
#undef FAMILY
  };
  return families;
}

/// "'transformer'", or "'rnn' or 'transformer'".
std::string known_names() {
  std::string names;
  for (const auto& [name, parser] : table()) names += (names.empty() ? "'" : " or '") + name + "'";
  return names;
}

}  // namespace

/// The second-to-last layer usually has the best links, but the first layer of a decoder looks at the source before it
/// knows what comes next.
int64_t default_alignment_layer(int64_t layers) { return layers > 2 ? layers - 1 : layers; }

void check_translates(const Architecture& architecture, const std::string& where) {
  if (architecture.translates()) return;
  const std::string use = architecture.other_use();
  fail<ModelError>(where, ": expected a model that translates; models of the family '", architecture.family(),
                   "' do not", use.empty() ? "" : "; " + use);
}

std::vector<core::SettingDescription> Architecture::describe() const {
  core::FieldList list("model");
  const nlohmann::json settings = to_json();
  for (const auto& [key, value] : settings.items()) {
    const char* type = value.is_boolean()          ? "true or false"
                       : value.is_number_integer() ? "whole number"
                       : value.is_number()         ? "number"
                       : value.is_string()         ? "text"
                                                   : "JSON";
    list.add({key, "The family does not describe it."}, type, value);
  }
  return list.sections.front().settings;
}

ArchitecturePtr Architecture::with_labels(const std::vector<std::string>& /*labels*/) const {
  throw std::logic_error("Architecture::with_labels: a model of the family '" + family() + "' is no classifier");
}

ArchitecturePtr parse(const std::string& name, const std::string& path, core::JsonReader& reader) {
  const auto family = table().find(name);
  if (family == table().end()) fail<ConfigError>(path, ": expected ", known_names(), ", got '", name, "'");
  return family->second(reader);
}

ArchitecturePtr defaults(const std::string& name) {
  const nlohmann::json empty = nlohmann::json::object();
  core::JsonReader reader(empty, "model");
  return parse(name, "architecture", reader);
}

std::vector<std::string> family_names() {
  std::vector<std::string> names;
  for (const auto& [name, parser] : table()) names.push_back(name);
  return names;
}

void add_family(const std::string& name, Parser parser) {
  if (!table().emplace(name, std::move(parser)).second) {
    throw std::logic_error("architecture::add_family: there is already a family '" + name + "'");
  }
}

}  // namespace ventris::architecture
