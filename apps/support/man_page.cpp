#include "support/man_page.h"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "core/process.h"
#include "support/run.h"

namespace ventris::apps {
namespace {

/// Escapes text so that roff prints it unchanged, even at the beginning of a line.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char letter : text) {
    if (letter == '\\') {
      out += "\\e";
    } else if (letter == '-') {
      out += "\\-";  // a plain "-" would become a hyphen, which cannot be copied into a shell
    } else {
      out += letter;
    }
  }
  return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

std::string bold(const std::string& text) { return "\\fB" + escaped(text) + "\\fR"; }
std::string slanted(const std::string& text) { return "\\fI" + escaped(text) + "\\fR"; }

std::string upper(std::string text) {
  for (char& letter : text) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return text;
}

/// The sentence in lower case and without its full stop, for the section NAME.
std::string phrase(std::string text) {
  if (text.ends_with('.')) text.pop_back();
  if (!text.empty()) text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  return text;
}

std::string flag_text(const FlagSummary& flag, bool positional) {
  std::string names;
  for (const std::string& name : flag.names) names += (names.empty() ? "" : ", ") + bold(name);
  std::string text = ".TP\n" + (positional ? slanted(flag.value) : names);
  if (!positional && !flag.value.empty()) text += " " + slanted(flag.value);
  text += "\n" + escaped(flag.help) + "\n";
  std::string choices;
  for (const std::string& choice : flag.choices) choices += (choices.empty() ? "" : ", ") + bold(choice);
  if (!choices.empty()) text += ".br\nValues: " + choices + ".\n";
  if (!flag.fallback.empty()) text += ".br\nDefault: " + bold(flag.fallback) + ".\n";
  if (flag.required) text += ".br\nRequired.\n";
  return text;
}

/// The flags by heading; flags without a heading come first.
std::string flag_sections(const std::vector<FlagSummary>& flags) {
  std::vector<std::string> groups{""};
  for (const FlagSummary& flag : flags) {
    if (std::find(groups.begin(), groups.end(), flag.group) == groups.end()) groups.push_back(flag.group);
  }
  std::string text;
  for (const std::string& group : groups) {
    if (!group.empty()) text += ".SS \"" + escaped(group) + "\"\n";
    for (const FlagSummary& flag : flags) {
      if (flag.group == group) text += flag_text(flag, /*positional=*/false);
    }
  }
  return text;
}

std::string usage(const std::string& program, const CommandSummary& command) {
  std::string text = bold(program) + (command.name == program ? "" : " " + bold(command.name)) + " [flags]";
  for (const FlagSummary& one : command.positionals) {
    std::string words = slanted(one.value);
    if (one.most_values > 1 && !one.value.ends_with("...")) words += " ...";
    text += one.required ? " " + words : " [" + words + "]";
  }
  return text + "\n";
}

std::string synopsis(const CommandSummary& program) {
  std::string text = ".SH SYNOPSIS\n" + usage(program.name, program);
  for (const CommandSummary& command : program.commands) text += ".br\n" + usage(program.name, command);
  return text;
}

/// The commands with their own flags, without the common ones.
std::string commands(const CommandSummary& program) {
  if (program.commands.empty()) return "";
  std::string text = ".SH COMMANDS\n";
  for (const CommandSummary& command : program.commands) {
    text += ".SS " + escaped(command.name) + "\n" + escaped(command.purpose) + ".\n";
    for (const FlagSummary& flag : command.flags) {
      if (flag.group != kCommonGroup) text += flag_text(flag, /*positional=*/false);
    }
  }
  return text;
}

std::string exit_status() {
  std::string text = ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : kExitMeanings) {
    text += ".TP\n" + bold(std::to_string(code)) + "\n" + escaped(meaning) + "\n";
  }
  return text + ".TP\n" + bold("128 + signal") + "\nafter a graceful stop\n";
}

std::string example_lines(const std::string& examples) {
  std::istringstream lines(examples);
  std::string text = ".SH EXAMPLES\n.nf\n";
  for (std::string line; std::getline(lines, line);) {
    text += escaped(line.substr(std::min(line.find_first_not_of(' '), line.size()))) + "\n";
  }
  return text + ".fi\n";
}

constexpr const char* kEnvironment = R"(.SH ENVIRONMENT
.TP
\fBNO_COLOR\fR
If this is set and not empty, there are no colours on a terminal.
)";

}  // namespace

std::string man_page(const CommandSummary& program, const std::string& examples) {
  std::string text = ".TH \"" + upper(program.name) + "\" 1 \"\" \"Ventris " + core::version() + "\" \"Ventris\"\n";
  text += ".SH NAME\n" + escaped(program.name) + " \\- " + escaped(phrase(program.purpose)) + "\n" + synopsis(program);
  text += ".SH DESCRIPTION\n" + escaped(program.purpose) + "\n.SH OPTIONS\n";
  for (const FlagSummary& one : program.positionals) text += flag_text(one, /*positional=*/true);
  return text + flag_sections(program.flags) + commands(program) + exit_status() + kEnvironment +
         example_lines(examples);
}

}  // namespace ventris::apps
