#include "support/command_summary.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>

#include "support/run.h"

namespace ventris::apps {
namespace {

constexpr const char* kNoGroup = "Options";

bool is_one_of(const std::string& word, std::initializer_list<const char*> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// The kind of value behind a type name; "FILE..." means the same as "FILE".
ValueKind kind_of(std::string type) {
  while (type.ends_with('.')) type.pop_back();
  if (is_one_of(type, {"FILE", "MODEL", "PATH", "REF", "SRC TGT", "LIST", "GOLD"})) return ValueKind::kFile;
  return is_one_of(type, {"FOLDER", "BUNDLE"}) ? ValueKind::kFolder : ValueKind::kText;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

/// The words behind `kind` in the names of the option's validators.
std::vector<std::string> said_by_validators(CLI::Option& option, const std::string& kind) {
  std::vector<std::string> said;
  for (int i = 0;; ++i) {
    try {
      const auto words = words_of(option.get_validator(i)->get_name());
      if (!words.empty() && words.front() == kind) said.insert(said.end(), words.begin() + 1, words.end());
    } catch (const CLI::OptionNotFound&) {
      return said;
    }
  }
}

/// Of one_of() and offers().
std::vector<std::string> choices_of(CLI::Option& option) { return said_by_validators(option, "choices"); }

/// Of sets().
std::vector<std::string> settings_of(CLI::Option& option) { return said_by_validators(option, "setting"); }

FlagSummary summarize(CLI::Option& option) {
  FlagSummary flag;
  for (const std::string& name : option.get_snames()) flag.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) flag.names.push_back("--" + name);
  if (flag.names.empty()) flag.names.push_back(option.get_name());
  flag.help = option.get_description();
  flag.group = option.get_group() == kNoGroup ? "" : option.get_group();
  flag.required = option.get_required();
  flag.settings = settings_of(option);
  if (option.get_items_expected_max() == 0) return flag;
  const std::string type = option.get_type_name();
  flag.kind = kind_of(type.substr(0, type.find(':')));
  flag.value = option.get_option_text().empty() ? type.substr(0, type.find(':')) : option.get_option_text();
  flag.fallback = option.get_default_str();
  flag.choices = choices_of(option);
  flag.most_values = option.get_allow_extra_args() ? option.get_items_expected_max() : option.get_type_size_max();
  return flag;
}

}  // namespace

CommandSummary summarize(CLI::App& app) {
  CommandSummary command{app.get_name(), app.get_description(), {}, {}, {}};
  const auto shown = [&app](const CLI::Option* option) {
    return !option->get_group().empty() && (app.get_parent() == nullptr || option != app.get_help_ptr());
  };
  for (CLI::Option* option : app.get_options(shown)) {
    if (option->nonpositional()) command.flags.push_back(summarize(*option));
    if (option->get_positional()) command.positionals.push_back(summarize(*option));
  }
  for (CLI::App* inner : app.get_subcommands([](CLI::App*) { return true; })) {
    command.commands.push_back(summarize(*inner));
    for (const FlagSummary& flag : command.flags) {
      if (flag.group == kCommonGroup) command.commands.back().flags.push_back(flag);
    }
  }
  return command;
}

CommandSummary with_aliases(CommandSummary command, const std::map<std::string, std::string>& aliases) {
  for (const auto& [alias, name] : aliases) {
    for (FlagSummary& flag : command.flags) {
      const auto place = std::ranges::find(flag.names, name);
      if (place != flag.names.end()) flag.names.insert(place, alias);
    }
  }
  return command;
}

}  // namespace ventris::apps
