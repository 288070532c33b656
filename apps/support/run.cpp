#include "support/run.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iostream>
#include <map>
#include <new>
#include <vector>

#include "core/error.h"
#include "core/log.h"
#include "core/printable.h"
#include "core/process.h"
#include "core/resources.h"
#include "core/rethrow.h"
#include "core/suggest.h"
#include "files/mapped_ranges.h"
#include "support/choices.h"
#include "support/command_summary.h"
#include "support/completion.h"
#include "support/flag_values.h"
#include "support/man_page.h"
#include "support/settings_page.h"

namespace ventris::apps {
namespace {

[[noreturn]] void end_at_once();
const std::terminate_handler kUsualEnd = std::set_terminate(end_at_once);  // before main() allocates anything

/// The end of a program whose exception nobody can catch, because it left a destructor or a thread, or came before the
/// work began. If memory was refused, it ends as it would elsewhere: with a sentence and the same exit code.
[[noreturn]] void end_at_once() {
  try {
    if (std::current_exception()) throw;
  } catch (const std::bad_alloc&) {
    dprintf(STDERR_FILENO, "%s: %s\n", program_invocation_short_name, core::kOutOfMemory);
    _exit(kOutOfResources);
  } catch (...) {  // the usual end says what it is
  }
  kUsualEnd();
  std::abort();
}

struct CommonFlags {
  std::string log_level = "info";
  bool quiet = false;
};

std::string version_text(const Program& program) {
  std::string text = program.name + " " + core::version() + "\ninstruction set: " + core::instruction_set();
  if (program.libraries) text += "\n" + program.libraries();
  return text;
}

/// The words to suggest for an unknown word: flags, or commands.
std::vector<std::string> known_words(CLI::App& app, bool flags) {
  const CommandSummary program = summarize(app);
  std::vector<std::string> words;
  const auto take_flags = [&words](const CommandSummary& command) {
    for (const FlagSummary& flag : command.flags) {
      for (const std::string& name : flag.names) {
        if (name.starts_with("--")) words.push_back(name);
      }
    }
  };
  if (flags) take_flags(program);
  for (const CommandSummary& command : program.commands) {
    if (!flags) words.push_back(command.name);
    if (flags && app.got_subcommand(command.name)) take_flags(command);
  }
  return words;
}

/// A word that the parser did not accept, preferably one that looks like a flag; empty = none. Naming it helps the user
/// more than naming what is missing.
std::string unknown_word(const CLI::App& app) {
  const auto words = app.remaining(/*recurse=*/true);
  const auto flag = std::find_if(words.begin(), words.end(), [](const auto& word) { return word.starts_with("--"); });
  return words.empty() ? "" : flag != words.end() ? *flag : words.front();
}

bool may_stem_from_unknown_word(const CLI::ParseError& error) {
  const auto code = static_cast<CLI::ExitCodes>(error.get_exit_code());
  return code == CLI::ExitCodes::ExtrasError || code == CLI::ExitCodes::RequiredError ||
         code == CLI::ExitCodes::RequiresError;
}

/// --help and --version end here with exit code 0. Every other error of CLI11 becomes one sentence and exit code 2.
int report_parse_error(CLI::App& app, const Program& program, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return app.exit(error, std::cout, std::cerr) == 0 ? kOk : kBadSettings;
  std::string text = error.what();
  const std::string word = may_stem_from_unknown_word(error) ? unknown_word(app) : "";
  if (!word.empty()) {
    const std::string name = word.substr(0, word.find('='));
    text = "unknown argument '" + word + "'" + core::did_you_mean(name, known_words(app, name.starts_with('-')));
  }
  std::cerr << core::as_error(program.name + ":") << ' ' << core::printable(text) << "\nRun " << program.name
            << " --help for the flags.\n";
  return kBadSettings;
}

int explain(const Program& program, int code, const std::string& text) {
  core::show_progress("");
  std::cerr << core::as_error(program.name + ":") << ' ' << core::printable_lines(core::without_backtrace(text))
            << '\n';
  return code;
}

/// The one place where an exception becomes an exit code.
int guarded(const Program& program, const std::function<int()>& work) {
  try {
    return work();
  } catch (const ConfigError& error) {
    return explain(program, kBadSettings, error.what());
  } catch (const DataError& error) {
    return explain(program, kBadData, error.what());
  } catch (const ModelError& error) {
    return explain(program, kBadModel, error.what());
  } catch (const DivergedError& error) {
    return explain(program, kDiverged, error.what());
  } catch (const PeerError& error) {
    return explain(program, kPeerLost, error.what());
  } catch (const PipeClosed&) {
    core::show_progress("");
    return kPipeClosed;
  } catch (const WriteError& error) {
    return explain(program, kCannotWrite, error.what());
  } catch (const Interrupted& error) {
    return explain(program, 128 + error.signal, error.what());
  } catch (const ResourceError& error) {
    return explain(program, kOutOfResources, error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    const std::string path = error.path1().string();
    return explain(program, kBadData, path + ": cannot be used: " + error.code().message());
  } catch (const std::exception& error) {
    if (const auto problem = core::resource_problem(error)) return explain(program, kOutOfResources, *problem);
    return explain(program, kBug, "internal error (please report it): " + std::string(error.what()));
  }
}

int finish_stdout(const Program& program, int code) {
  std::cout.flush();
  if (std::cout.good() && std::fflush(stdout) == 0) return code;
  if (core::stdout_has_no_reader()) return code == kOk ? kPipeClosed : code;
  std::cerr << core::as_error(program.name + ":") << " standard output: cannot be written\n";
  return code == kOk ? kCannotWrite : code;
}

/// The arguments with the flags that aliases stand for, and a null at the end.
std::vector<char*> without_aliases(int argc, char** argv, std::map<std::string, std::string>& aliases) {
  std::vector<char*> arguments(argv, argv + argc);
  for (char*& argument : arguments) {
    if (std::string_view(argument) == "--") break;
    const auto found = aliases.find(argument);
    if (found != aliases.end()) argument = found->second.data();
  }
  arguments.push_back(nullptr);
  return arguments;
}

/// Adds the hidden flag --generate, which writes the completion scripts and the manual page that are installed.
void add_generator(CLI::App& app, const Program& program) {
  using Generator = std::function<std::string(const CommandSummary&)>;
  std::map<std::string, Generator> generators{
      {"completion-bash", bash_completion},
      {"completion-zsh", zsh_completion},
      {"completion-fish", fish_completion},
      {"man", [&program](const CommandSummary& summary) { return man_page(summary, program.example); }}};
  if (program.settings) {
    generators["settings"] = [&program](const CommandSummary& summary) {
      return settings_page(summary, program.settings());
    };
  }
  std::vector<std::string> kinds;
  for (const auto& [kind, unused] : generators) kinds.push_back(kind);
  const auto generate = [&app, generators, &program](const std::string& kind) {
    std::cout << generators.at(kind)(with_aliases(summarize(app), program.aliases));
    throw CLI::Success();
  };
  app.add_option_function<std::string>("--generate", generate)->check(one_of(kinds))->group("");
}

void set_coloring(const std::string& when) {
  core::set_coloring(when == "auto"     ? core::Coloring::kAuto
                     : when == "always" ? core::Coloring::kAlways
                                        : core::Coloring::kNever);
}

/// Defaults as users write them: CLI11 puts the values of a list between brackets, also if there are none ("[]", "{}"
/// from 2.4 on).
void write_defaults_plainly(CLI::App& app) {
  for (CLI::Option* option : app.get_options({})) {
    const std::string value = option->get_default_str();
    if (value == "{}") option->default_str("");
    if (value.starts_with('[') && value.ends_with(']')) option->default_str(value.substr(1, value.size() - 2));
  }
  for (CLI::App* inner : app.get_subcommands([](CLI::App*) { return true; })) write_defaults_plainly(*inner);
}

int parse_and_work(int argc, char** argv, const Program& program, const Setup& setup) {
  CommonFlags common;
  CLI::App app(program.purpose, program.name);
  app.option_defaults()->always_capture_default();
  app.footer("Example:\n  " + program.example);
  app.set_help_flag("-h,--help", "Show this help");  // before the commands, which take it over
  const auto work = setup(app);
  app.add_flag("--quiet", common.quiet, "Show only warnings and errors, and no progress line")->group(kCommonGroup);
  app.add_option("--log-level", common.log_level, "Log level: debug, info, warning, error or off")
      ->check(offers({"debug", "info", "warning", "error", "off"}))
      ->group(kCommonGroup);
  app.add_option_function<std::string>("--color", set_coloring,
                                       "Colours on stderr: auto (only on a terminal), always or never")
      ->check(one_of({"auto", "always", "never"}))
      ->default_str("auto")
      ->group(kCommonGroup);
  app.set_version_flag("--version", [&program] { return version_text(program); })->group(kCommonGroup);
  app.set_help_flag("-h,--help", "Show this help")->group(kCommonGroup);  // here, so that it is the last one
  write_defaults_plainly(app);
  add_generator(app, program);
  check_flag_values(app);
  try {
    auto aliases = program.aliases;
    app.parse(argc, without_aliases(argc, argv, aliases).data());
  } catch (const CLI::ParseError& error) {
    return report_parse_error(app, program, error);
  }
  core::set_log_level(common.log_level);
  if (common.quiet) core::set_log_level("warning");
  work();
  return kOk;
}

}  // namespace

int run(int argc, char** argv, const Program& program, const Setup& setup) {
  core::fill_standard_streams();
  core::ignore_write_signals();
  files::explain_shortened_files(program.name);
  if (program.stops_gracefully) core::install_stop_handlers();
  return finish_stdout(program, guarded(program, [&] { return parse_and_work(argc, argv, program, setup); }));
}

}  // namespace ventris::apps
