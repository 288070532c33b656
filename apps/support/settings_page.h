#pragma once
#include <string>
#include <vector>

#include "core/setting_description.h"
#include "support/command_summary.h"

namespace ventris::apps {

/// What docs/settings.md says of one program, in Markdown: a table for each section, with the flags that set its
/// settings. Throws std::logic_error for a setting without a meaning that no flag's help explains either, and for a
/// flag that does not offer exactly the words that its setting may be.
std::string settings_page(const CommandSummary& program, const std::vector<core::SettingsSection>& sections);

}  // namespace ventris::apps
