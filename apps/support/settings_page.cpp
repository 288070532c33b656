#include "support/settings_page.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>

namespace ventris::apps {
namespace {

using core::SettingDescription;

/// "training.after" -> "/training/after", as flags name what they set.
std::string pointer_to(const std::string& path) {
  std::string pointer = "/" + path;
  std::replace(pointer.begin(), pointer.end(), '.', '/');
  return pointer;
}

/// A flag may stand among the positional arguments too; it is listed once.
std::vector<FlagSummary> flags_for(const CommandSummary& program, const std::string& path) {
  std::vector<FlagSummary> found;
  for (const auto* flags : {&program.flags, &program.positionals}) {
    for (const FlagSummary& flag : *flags) {
      const bool sets = std::ranges::find(flag.settings, pointer_to(path)) != flag.settings.end();
      const auto same = [&flag](const FlagSummary& other) { return other.names == flag.names; };
      if (sets && std::ranges::none_of(found, same)) found.push_back(flag);
    }
  }
  return found;
}

std::string code(const std::string& text) { return "`" + text + "`"; }

/// Words with commas between them, each as code.
std::string list_of(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + code(word);
  return text;
}

/// As short as it can be, without an exponent.
std::string number(double value) {
  std::array<char, 400> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::fixed).ptr;
  return {digits.data(), end};
}

/// ", at least 0, under 1"; empty without limits.
std::string limits_of(const core::Limits<double>& limits) {
  if (limits.least && limits.most) return ", from " + number(*limits.least) + " to " + number(*limits.most);
  std::string text;
  if (limits.over) {
    text += ", over " + number(*limits.over);
  } else if (limits.least) {
    text += ", at least " + number(*limits.least);
  }
  if (limits.most) text += ", at most " + number(*limits.most);
  if (limits.under) text += ", under " + number(*limits.under);
  return text;
}

std::string meaning_of(const SettingDescription& setting, const std::vector<FlagSummary>& flags) {
  std::string text = setting.meaning;
  if (text.empty() && !flags.empty()) text = flags.front().help;
  if (text.empty()) {
    throw std::logic_error("settings_page: " + setting.path + " has neither a meaning nor a flag whose help says it");
  }
  return text.ends_with('.') ? text : text + ".";
}

/// The words of a flag are those of its setting. (Where a setting may be any text, a flag may still offer some.)
void check_choices(const SettingDescription& setting, const std::vector<FlagSummary>& flags) {
  const auto differs = [&](const FlagSummary& flag) { return flag.choices != setting.choices; };
  if (setting.choices.empty() || std::ranges::none_of(flags, differs)) return;
  throw std::logic_error("settings_page: the flag of " + setting.path +
                         " does not offer exactly the words of the setting");
}

/// A line of a table; a bar inside a cell would end it.
std::string row(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) {
    line += ' ';
    for (const char letter : cell) line += letter == '|' ? "\\|" : std::string(1, letter);
    line += cell.empty() ? "|" : " |";
  }
  return line + "\n";
}

std::string table(const CommandSummary& program, const core::SettingsSection& section) {
  const auto resumes = [](const SettingDescription& setting) { return !setting.on_resume.empty(); };
  const bool of_runs = std::ranges::any_of(section.settings, resumes);
  std::vector<std::string> head{"setting", "flag", "values", "default", "meaning"};
  if (of_runs) head.insert(head.end() - 1, "may change");
  std::string text = row(head) + "|";
  for (size_t i = 0; i < head.size(); ++i) text += "---|";
  text += "\n";
  for (const SettingDescription& setting : section.settings) {
    const std::vector<FlagSummary> flags = flags_for(program, setting.path);
    check_choices(setting, flags);
    std::vector<std::string> names;
    for (const FlagSummary& flag : flags) names.insert(names.end(), flag.names.begin(), flag.names.end());
    std::vector<std::string> cells{
        code(setting.path), list_of(names),
        setting.choices.empty() ? setting.type + limits_of(setting.limits) : list_of(setting.choices),
        setting.fallback.empty() ? "none" : code(setting.fallback), meaning_of(setting, flags)};
    if (of_runs) cells.insert(cells.end() - 1, setting.on_resume);
    text += row(cells);
  }
  return text;
}

}  // namespace

std::string settings_page(const CommandSummary& program, const std::vector<core::SettingsSection>& sections) {
  std::string text = "## " + program.name + "\n";
  for (const core::SettingsSection& section : sections) {
    if (!section.title.empty()) text += "\n### " + section.title + "\n";
    if (!section.meaning.empty()) text += "\n" + section.meaning + "\n";
    if (!section.settings.empty()) text += "\n" + table(program, section);
  }
  return text;
}

}  // namespace ventris::apps
