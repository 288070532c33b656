#pragma once
#include <map>
#include <string>
#include <vector>

namespace CLI {
class App;
}

/// A command line as data, from which completion scripts and manual pages are made.
namespace ventris::apps {

/// What the value of a flag is.
enum class ValueKind { kText, kFile, kFolder };

/// A flag, or a positional argument.
struct FlagSummary {
  std::vector<std::string> names;  ///< "-m", "--model"; for a positional argument, only its name
  std::string value;               ///< the value as the help shows it: "FILE"; empty = no value
  std::string help;
  std::string fallback;  ///< the default as the help shows it; empty = none
  std::string group;     ///< heading in the help
  ValueKind kind = ValueKind::kText;
  std::vector<std::string> choices = {};  ///< words that are allowed as value; empty = any
  int most_values = 0;               ///< most values that one use of the flag takes
  bool required = false;
  std::vector<std::string> settings = {};  ///< what it sets, as JSON pointers: "/training/after"
};

/// A program, or one of its commands.
struct CommandSummary {
  std::string name;
  std::string purpose;
  std::vector<FlagSummary> flags;  ///< without hidden ones; for a command, including the common flags
  std::vector<FlagSummary> positionals;  ///< some are also in `flags`
  std::vector<CommandSummary> commands;
};

/// Describes the flags, arguments and commands of `app`.
CommandSummary summarize(CLI::App& app);

/// The same with these further names of flags, each before the name that it stands for.
CommandSummary with_aliases(CommandSummary command, const std::map<std::string, std::string>& aliases);

}  // namespace ventris::apps
