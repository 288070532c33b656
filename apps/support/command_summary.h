#pragma once
#include <string>
#include <vector>

namespace CLI {
class App;
}

/// A command line as data: what completion scripts and man pages are made of.
namespace ventris::apps {

/// What a flag's value names.
enum class ValueKind { kText, kFile, kFolder };

/// A flag, or a positional argument.
struct FlagSummary {
  std::vector<std::string> names;  ///< "-m", "--model"; of a positional its name alone
  std::string value;               ///< how the help writes its value: "FILE"; empty = it takes none
  std::string help;
  std::string fallback;  ///< what it is if it is not given; empty = nothing to show
  std::string group;     ///< heading in the help
  ValueKind kind = ValueKind::kText;
  std::vector<std::string> choices = {};  ///< words that its value may be; empty = any
  int most_values = 0;               ///< words that may follow one mention and that are not flags
  bool required = false;
  std::vector<std::string> settings = {};  ///< what it sets, as JSON pointers: "/training/after"
};

/// A program, or one of its commands.
struct CommandSummary {
  std::string name;
  std::string purpose;
  std::vector<FlagSummary> flags;  ///< hidden ones left out; of a command with the program's common ones
  std::vector<FlagSummary> positionals;  ///< some of them flags too
  std::vector<CommandSummary> commands;
};

/// What `app` takes.
CommandSummary summarize(CLI::App& app);

}  // namespace ventris::apps
