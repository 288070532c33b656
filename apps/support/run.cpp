#include "support/run.h"

#include <cstdio>
#include <iostream>
#include <new>
#include <vector>

#include "core/error.h"
#include "core/log.h"
#include "core/process.h"
#include "core/suggest.h"

namespace ventris::apps {
namespace {

struct CommonFlags {
  std::string log_level = "info";
  bool quiet = false;
};

std::string version_text(const Program& program) {
  std::string text = program.name + " " + core::version() + "\ninstruction set: " + core::instruction_set();
  if (program.libraries) text += "\n" + program.libraries();
  return text;
}

std::vector<std::string> flag_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

/// --help and --version end here with 0; anything else CLI11 refuses is one sentence and exit 2.
int report_parse_error(const CLI::App& app, const Program& program, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return app.exit(error, std::cout, std::cerr) == 0 ? kOk : kBadSettings;
  std::string text = error.what();
  if (const auto* extras = dynamic_cast<const CLI::ExtrasError*>(&error)) {
    const std::string unknown = app.remaining().empty() ? "" : app.remaining().front();
    text = "unknown argument '" + unknown + "'" + core::did_you_mean(unknown, flag_names(app));
    (void)extras;
  }
  std::cerr << program.name << ": " << text << "\nRun " << program.name << " --help for the flags.\n";
  return kBadSettings;
}

/// LibTorch appends a long C++ backtrace to its messages; people need only the first part.
std::string without_backtrace(const std::string& text) { return text.substr(0, text.find("\nException raised from")); }

int explain(const Program& program, int code, const std::string& text) {
  core::show_progress("");
  std::cerr << program.name << ": " << without_backtrace(text) << '\n';
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
  } catch (const WriteError& error) {
    return explain(program, kCannotWrite, error.what());
  } catch (const Interrupted& error) {
    return explain(program, 128 + error.signal, error.what());
  } catch (const std::bad_alloc&) {
    return explain(program, kOutOfMemory, "out of memory; use smaller batches, a smaller model or fewer threads");
  } catch (const std::exception& error) {
    const std::string text = error.what();
    if (text.find("allocate memory") != std::string::npos || text.find("out of memory") != std::string::npos) {
      return explain(program, kOutOfMemory, "out of memory; use smaller batches, a smaller model or fewer threads");
    }
    return explain(program, kBug, "internal error (please report it): " + text);
  }
}

int finish_stdout(const Program& program, int code) {
  std::cout.flush();
  if (std::cout.good() && std::fflush(stdout) == 0) return code;
  std::cerr << program.name << ": standard output: cannot be written\n";
  return code == kOk ? kCannotWrite : code;
}

int parse_and_work(int argc, char** argv, const Program& program, const Setup& setup) {
  CommonFlags common;
  CLI::App app(program.purpose, program.name);
  app.option_defaults()->always_capture_default();
  app.footer("Example:\n  " + program.example);
  const auto work = setup(app);
  app.add_flag("--quiet", common.quiet, "Only warnings and errors on stderr")->group("Common");
  app.add_option("--log-level", common.log_level, "debug, info, warning, error or off")->group("Common");
  app.set_version_flag("--version", [&program] { return version_text(program); })->group("Common");
  app.set_help_flag("-h,--help", "This text")->group("Common");
  try {
    app.parse(argc, argv);
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
  core::ignore_write_signals();
  if (program.stops_gracefully) core::install_stop_handlers();
  return finish_stdout(program, guarded(program, [&] { return parse_and_work(argc, argv, program, setup); }));
}

}  // namespace ventris::apps
