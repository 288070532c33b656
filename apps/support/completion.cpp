#include "support/completion.h"

#include <algorithm>

namespace ventris::apps {
namespace {

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

std::string joined(const std::vector<std::string>& words, const std::string& between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

/// In single quotes, for bash and zsh.
std::string quoted(const std::string& text) { return "'" + replaced(text, "'", "'\\''") + "'"; }

std::string function_name(const CommandSummary& program) { return "_" + replaced(program.name, "-", "_"); }

/// The program and its commands, each with its name in the script ("" = the program itself).
std::vector<std::pair<std::string, const CommandSummary*>> all_commands(const CommandSummary& program) {
  std::vector<std::pair<std::string, const CommandSummary*>> all{{"", &program}};
  for (const CommandSummary& command : program.commands) all.emplace_back(command.name, &command);
  return all;
}

std::string kind_name(ValueKind kind) {
  return kind == ValueKind::kText ? "text" : kind == ValueKind::kFile ? "file" : "folder";
}

// --- bash

/// One case of the script: sets how many values (`left`) of which `kind` and `choices` may follow this flag.
std::string bash_flag_case(const std::string& command, const FlagSummary& flag) {
  std::vector<std::string> patterns;
  for (const std::string& name : flag.names) patterns.push_back(command + ":" + name);
  return "    " + joined(patterns, " | ") + ") left=" + std::to_string(flag.most_values) +
         " kind=" + kind_name(flag.kind) + " choices=" + quoted(joined(flag.choices, " ")) + " ;;\n";
}

/// One case of the script: sets what may come where no value of a flag is expected: `flags`, `commands`, the `choices`
/// of the first positional argument and the `kind` of the last.
std::string bash_command_case(const std::string& name, const CommandSummary& command) {
  std::vector<std::string> flags, commands;
  for (const FlagSummary& flag : command.flags) flags.insert(flags.end(), flag.names.begin(), flag.names.end());
  for (const CommandSummary& inner : command.commands) commands.push_back(inner.name);
  const bool positional = !command.positionals.empty();
  return "    " + quoted(name) + ") flags=" + quoted(joined(flags, " ")) +
         " commands=" + quoted(joined(commands, " ")) +
         " kind=" + (positional ? kind_name(command.positionals.back().kind) : "text") +
         " choices=" + quoted(positional ? joined(command.positionals.front().choices, " ") : "") + " ;;\n";
}

constexpr const char* kBashBody = R"(
NAME() {
  local current=${COMP_WORDS[COMP_CWORD]} command='' flags='' commands='' kind='' choices='' left=0 word i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ $word == = ]]; then
      continue
    elif [[ $word == -?* ]]; then
      NAME_flag "$command" "$word"
    elif ((left > 0)); then
      ((left -= 1))
    elif [[ -z $command ]]; then
      NAME_command ''
      [[ " $commands " == *" $word "* ]] && command=$word
    fi
  done
  [[ $current == = ]] && current=''
  COMPREPLY=()
  if ((left == 0)) || [[ $current == -* ]]; then
    NAME_command "$command"
    if [[ $current == -* ]]; then
      mapfile -t COMPREPLY < <(compgen -W "$flags" -- "$current")
      return
    fi
    choices="$commands $choices"
  fi
  mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$current")
  local action=-f
  [[ $kind == folder ]] && action=-d
  [[ $kind == text ]] && return
  compopt -o filenames 2>/dev/null
  mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen "$action" -- "$current")
}

complete -F NAME PROGRAM
)";

// --- zsh

/// Escapes text for the brackets and colons of an _arguments specification.
std::string zsh_text(const std::string& text) {
  std::string escaped = replaced(text, "\\", "\\\\");
  for (const char* special : {"[", "]", ":"}) escaped = replaced(escaped, special, std::string("\\") + special);
  return escaped;
}

std::string zsh_action(const FlagSummary& flag) {
  if (!flag.choices.empty()) return "(" + joined(flag.choices, " ") + ")";
  if (flag.kind == ValueKind::kFile) return "_files";
  return flag.kind == ValueKind::kFolder ? "_files -/" : " ";
}

std::string zsh_values(const FlagSummary& flag) {
  if (flag.value.empty()) return "";
  const std::string value = zsh_text(flag.value) + ":" + zsh_action(flag);
  if (flag.most_values == 1) return (flag.value.starts_with("[") ? "::" : ":") + value;
  if (flag.most_values == 2) return ":" + value + ":" + value;
  return ":*-*:" + value;
}

std::string zsh_flag(const FlagSummary& flag) {
  const std::string rest = quoted("[" + zsh_text(flag.help) + "]" + zsh_values(flag));
  if (flag.names.size() == 1) return quoted("*") + flag.names.front() + rest;
  return quoted("(" + joined(flag.names, " ") + ")") + "{" + joined(flag.names, ",") + "}" + rest;
}

/// The _arguments call of one command.
std::string zsh_arguments(const CommandSummary& command, const std::string& indent) {
  std::string text = indent + "_arguments -s -S";
  if (!command.commands.empty()) text += " -C";
  for (const FlagSummary& flag : command.flags) text += " \\\n" + indent + "  " + zsh_flag(flag);
  for (const FlagSummary& one : command.positionals) {
    text += " \\\n" + indent + "  " +
            quoted((one.most_values > 1 ? "*:" : ":") + zsh_text(one.value) + ":" + zsh_action(one));
  }
  if (command.commands.empty()) return text + "\n";
  std::string names;
  for (const CommandSummary& inner : command.commands) {
    names += (names.empty() ? "" : " ") + inner.name + "\\:" + quoted(zsh_text(inner.purpose));
  }
  return text + " \\\n" + indent + "  " + "\": :((" + names + "))\" \\\n" + indent + "  '*:: :->command'\n";
}

// --- fish

std::string fish_quoted(const std::string& text) {
  return "'" + replaced(replaced(text, "\\", "\\\\"), "'", "\\'") + "'";
}

std::string fish_values(const FlagSummary& flag) {
  if (flag.value.empty() || flag.value.starts_with("[")) return "";
  if (!flag.choices.empty()) return " -x -a " + fish_quoted(joined(flag.choices, " "));
  if (flag.kind == ValueKind::kFile) return " -r -F";
  return flag.kind == ValueKind::kFolder ? " -x -a '(__fish_complete_directories)'" : " -x";
}

std::string fish_flag(const FlagSummary& flag) {
  std::string text;
  for (const std::string& name : flag.names) {
    const bool long_name = name.starts_with("--"), letter = name.size() == 2;
    text += long_name ? " -l " + name.substr(2) : (letter ? " -s " : " -o ") + name.substr(1);
  }
  return text + " -d " + fish_quoted(flag.help) + fish_values(flag) + "\n";
}

/// The beginning of a line that applies only to this command.
std::string fish_condition(const CommandSummary& program, const std::string& name) {
  const std::string start = "complete -c " + program.name;
  if (program.commands.empty()) return start;
  return start + " -n '" + (name.empty() ? "__fish_use_subcommand" : "__fish_seen_subcommand_from " + name) + "'";
}

}  // namespace

std::string bash_completion(const CommandSummary& program) {
  const std::string name = function_name(program);
  std::string flag_cases, command_cases;
  for (const auto& [command, summary] : all_commands(program)) {
    for (const FlagSummary& flag : summary->flags) flag_cases += bash_flag_case(command, flag);
    command_cases += bash_command_case(command, *summary);
  }
  const std::string body = replaced(replaced(kBashBody, "NAME", name), "PROGRAM", program.name);
  return "# Completion of " + program.name + " for bash, generated from the flags of the program.\n" + name +
         "_flag() {\n  left=0 kind=text choices=''\n  case $1:$2 in\n" + flag_cases + "  esac\n}\n\n" + name +
         "_command() {\n  case $1 in\n" + command_cases + "  esac\n}\n" + body;
}

std::string zsh_completion(const CommandSummary& program) {
  std::string text =
      "#compdef " + program.name + "\n# Generated from the flags of the program.\n\n" + function_name(program) +
      "() {\n  local curcontext=$curcontext state line ret=1\n  typeset -A opt_args\n" + zsh_arguments(program, "  ");
  if (!program.commands.empty()) {
    text += "  [[ $state == command ]] || return\n  case $line[1] in\n";
    for (const CommandSummary& command : program.commands) {
      text += "    " + command.name + ")\n" + zsh_arguments(command, "      ") + "      ;;\n";
    }
    text += "  esac\n";
  }
  return text + "}\n\n" + function_name(program) + " \"$@\"\n";
}

std::string fish_completion(const CommandSummary& program) {
  std::string text = "# Completion of " + program.name + " for fish, generated from the flags of the program.\n";
  const auto takes_files = [](const FlagSummary& one) { return one.kind != ValueKind::kText; };
  if (std::none_of(program.positionals.begin(), program.positionals.end(), takes_files)) {
    text += "complete -c " + program.name + " -f\n";
  }
  for (const auto& [name, summary] : all_commands(program)) {
    const std::string start = fish_condition(program, name);
    for (const FlagSummary& flag : summary->flags) text += start + fish_flag(flag);
    for (const FlagSummary& one : summary->positionals) {
      if (!one.choices.empty()) text += start + " -a " + fish_quoted(joined(one.choices, " ")) + "\n";
    }
    for (const CommandSummary& inner : summary->commands) {
      text += start + " -a " + inner.name + " -d " + fish_quoted(inner.purpose) + "\n";
    }
  }
  return text;
}

}  // namespace ventris::apps
