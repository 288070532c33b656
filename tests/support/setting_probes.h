#pragma once
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/setting_description.h"

namespace ventris::test {

/// A value of a setting, and whether its description allows it.
struct Probe {
  nlohmann::json value;
  bool allowed;
};

/// Values at the ends of a number's limits and just beyond them.
inline std::vector<Probe> probes_of(const core::SettingDescription& setting) {
  const auto json = [&](double value) {
    return setting.type == "number" ? nlohmann::json(value) : nlohmann::json(std::llround(value));
  };
  const double step = setting.type == "number" ? 1e-3 : 1;
  std::vector<Probe> probes;
  const core::Limits<double>& limits = setting.limits;
  if (limits.least) probes.push_back({json(*limits.least - step), false});
  if (limits.least && !limits.over) probes.push_back({json(*limits.least), true});
  if (limits.over) probes.insert(probes.end(), {{json(*limits.over), false}, {json(*limits.over + step), true}});
  if (limits.most) probes.insert(probes.end(), {{json(*limits.most), true}, {json(*limits.most + step), false}});
  if (limits.under) probes.insert(probes.end(), {{json(*limits.under - step), true}, {json(*limits.under), false}});
  return probes;
}

/// "training.after" -> the pointer to it in a settings file.
inline nlohmann::json::json_pointer pointer_to(const std::string& path) {
  std::string pointer = "/" + path;
  std::replace(pointer.begin(), pointer.end(), '.', '/');
  return nlohmann::json::json_pointer(pointer);
}

/// The paths of all values of a settings file; list entries that are objects as "corpora[]", others as one value.
inline std::vector<std::string> leaves_of(const nlohmann::json& settings, const std::string& path = "") {
  std::vector<std::string> leaves;
  const auto add = [&](const nlohmann::json& inner, const std::string& name) {
    const auto found = leaves_of(inner, name);
    leaves.insert(leaves.end(), found.begin(), found.end());
  };
  if (settings.is_object() && !settings.empty()) {  // an empty one is a setting, such as a list by language
    for (const auto& [key, value] : settings.items()) add(value, path.empty() ? key : path + "." + key);
    return leaves;
  }
  leaves.push_back(path);
  if (!settings.is_array()) return leaves;
  for (const auto& entry : settings) {
    if (entry.is_object()) add(entry, path + "[]");
  }
  return leaves;
}

}  // namespace ventris::test
