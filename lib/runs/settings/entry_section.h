#pragma once
#include "core/fields.h"

namespace ventris::settings {

/// The settings of an entry of a list, for docs/settings.md. `list` has one section, whose defaults are left out.
inline core::SettingsSection entry_section(const core::FieldList& list) {
  core::SettingsSection section = list.sections.front();
  for (core::SettingDescription& setting : section.settings) setting.fallback.clear();
  return section;
}

}  // namespace ventris::settings
