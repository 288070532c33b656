#pragma once
#include <CLI/CLI.hpp>
#include <array>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/setting_description.h"

/// What all programs share: the place where exceptions are caught, exit codes, the common flags, --help and --version.
namespace ventris::apps {

/// Exit codes (docs/design.md section 5). After a graceful stop: 128 + signal.
enum ExitCode {
  kOk = 0,
  kBadSettings = 2,
  kBadData = 3,
  kBadModel = 4,
  kOutOfResources = 5,
  kDiverged = 6,
  kPeerLost = 69,
  kBug = 70,
  kCannotWrite = 74,
  kPipeClosed = 141  // 128 + SIGPIPE, as of other filters; without a message
};

/// Their meanings, for manual pages.
inline constexpr std::array<std::pair<int, const char*>, 10> kExitMeanings{
    {{kOk, "success"},
     {kBadSettings, "wrong flags or settings"},
     {kBadData, "a corpus or another input is missing or wrong"},
     {kBadModel, "a model file is missing, damaged or of the wrong kind"},
     {kOutOfResources, "out of memory, threads or processes"},
     {kDiverged, "training diverged"},
     {kPeerLost, "another process of the run failed or is gone"},
     {kBug, "an internal error"},
     {kCannotWrite, "an output could not be written"},
     {kPipeClosed, "the reader of the output has closed the pipe"}}};

/// The heading of the flags that every program has.
inline constexpr const char* kCommonGroup = "Common";

/// A program: its name, its purpose in one sentence, example lines for --help, the libraries that --version lists,
/// whether it stops gracefully after a stop signal (core/process.h) instead of ending at once, the settings that
/// its settings files may have, and other names of flags.
struct Program {
  std::string name;
  std::string purpose;
  std::string example;
  std::function<std::string()> libraries = {};  ///< empty = no lines for libraries
  bool stops_gracefully = false;
  std::function<std::vector<core::SettingsSection>()> settings = {};  ///< empty = it reads no settings files
  /// Names of one dash and several letters ("-tok"), which the parser would read as a letter and its value, and the
  /// flags that they stand for ("--tokenize").
  std::map<std::string, std::string> aliases = {};
};

/// Adds the flags to `app` and returns the function to call after parsing. The function throws on failure.
using Setup = std::function<std::function<void()>(CLI::App& app)>;

/// The whole of main(): parses the flags (including the common ones: --quiet, --log-level, --color, --version), does
/// the work, prints one sentence to stderr if it fails, and returns the exit code. This is never 0 if standard output
/// could not be written.
int run(int argc, char** argv, const Program& program, const Setup& setup);

}  // namespace ventris::apps
