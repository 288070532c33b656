#include "settings/suggestion.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "core/suggest.h"
#include "settings/data_config.h"
#include "settings/further_corpus.h"

namespace ventris::settings {
namespace {

using nlohmann::json;
using Paths = std::vector<std::string>;

constexpr size_t kMostSuggestions = 3;

/// The paths of all sections and settings.
void collect(const json& section, const std::string& path, Paths& found) {
  for (const auto& [key, value] : section.items()) {
    const std::string here = path.empty() ? key : path + "." + key;
    found.push_back(here);
    if (value.is_object()) collect(value, here, found);
  }
}

std::string last_name(const std::string& path) { return path.substr(path.rfind('.') + 1); }

std::string section_of(const std::string& path) {
  const size_t dot = path.rfind('.');
  return dot == std::string::npos ? "" : path.substr(0, dot);
}

/// "data.corpora[].tag" for "data.corpora[3].tag".
std::string without_numbers(std::string path) {
  for (size_t open = path.find('['); open != std::string::npos; open = path.find('[', open + 1)) {
    path.erase(open + 1, path.find(']', open) - open - 1);
  }
  return path;
}

/// Whether `word` is one or several whole words of `name`, as "layers" is of "encoder_layers".
bool is_part(const std::string& word, const std::string& name) {
  return !word.empty() && ("_" + name + "_").find("_" + word + "_") != std::string::npos;
}

template <typename Condition>
Paths chosen(const Paths& all, const Condition& condition) {
  Paths some;
  std::ranges::copy_if(all, std::back_inserter(some), condition);
  return some;
}

Paths candidates(const std::string& path, const Paths& all) {
  const std::string word = last_name(path), section = section_of(path);
  const auto same = chosen(all, [&](const std::string& one) { return last_name(one) == word && one != path; });
  if (!same.empty()) return same;
  const auto longer = chosen(all, [&](const std::string& one) { return is_part(word, last_name(one)); });
  if (!longer.empty()) return longer;
  Paths names;
  for (const std::string& one : all) names.push_back(last_name(one));
  const std::string nearest = core::nearest(word, names);
  const auto near = chosen(all, [&](const std::string& one) { return last_name(one) == nearest; });
  const auto here = chosen(near, [&](const std::string& one) { return section_of(one) == section; });
  if (!here.empty()) return {nearest};  // in the section that the message names
  return near;
}

}  // namespace

std::string suggested_setting(const std::string& path, const json& known) {
  Paths all;
  collect(known, "", all);
  for (const core::SettingsSection& lists : {describe_corpus(), describe_further_corpus()}) {
    for (const core::SettingDescription& setting : lists.settings) all.push_back(setting.path);
  }
  const Paths found = candidates(without_numbers(path), all);
  std::string text;
  for (size_t i = 0; i < std::min(found.size(), kMostSuggestions); ++i) {
    text += (i > 0 ? " or '" : "'") + found[i] + "'";
  }
  return text.empty() ? "" : " (did you mean " + text + "?)";
}

}  // namespace ventris::settings
