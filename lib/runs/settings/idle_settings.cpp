#include "settings/idle_settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ventris::settings {
namespace {

/// Settings of a section that have an effect only with one of them.
struct Group {
  const char* section;
  std::vector<const char*> idle;
  const char* needed;
  bool on;  // whether `needed` is set
};

std::vector<Group> groups_of(const RunConfig& config) {
  const TrainingConfig& training = config.training;
  return {
      {"data.context", {"sides", "separator", "single"}, "sentences", config.data.context.sentences > 0},
      {"training.guided_alignment",
       {"tokenized", "weight", "step", "layer", "head"},
       "links",
       training.guided_alignment.on()},
      {"training.scheduled_sampling",
       {"start_update", "rising_updates"},
       "share",
       training.scheduled_sampling.share > 0},
  };
}

/// The section "a.b" of all settings.
const nlohmann::json& section_of(const nlohmann::json& settings, std::string name) {
  for (char& sign : name) sign = sign == '.' ? '/' : sign;
  return settings.at(nlohmann::json::json_pointer("/" + name));
}

}  // namespace

std::vector<std::string> idle_settings(const RunConfig& config) {
  static const nlohmann::json kDefaults = RunConfig().to_json();
  const nlohmann::json all = config.to_json();
  std::vector<std::string> warnings;
  for (const Group& group : groups_of(config)) {
    if (group.on) continue;
    std::vector<std::string> set;
    for (const char* name : group.idle) {
      const bool is_default = section_of(all, group.section).at(name) == section_of(kDefaults, group.section).at(name);
      if (!is_default) set.push_back(fmt::format("{}.{}", group.section, name));
    }
    if (set.empty()) continue;
    warnings.push_back(fmt::format("{}: {} no effect without {}.{}; set that, or leave {} out", fmt::join(set, ", "),
                                   set.size() == 1 ? "has" : "have", group.section, group.needed,
                                   set.size() == 1 ? "it" : "them"));
  }
  if (config.validation.patience > 0 && config.data.valid.source.empty()) {
    warnings.emplace_back(
        "validation.patience: has no effect, because the run has no validation corpus; --valid SOURCE TARGET gives "
        "one");
  }
  return warnings;
}

}  // namespace ventris::settings
