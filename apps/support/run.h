#pragma once
#include <CLI/CLI.hpp>
#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/setting_description.h"

/// What every program shares: one catch site, exit codes, the common flags, --help and --version.
namespace ventris::apps {

/// Exit codes (docs/design.md section 5). After a graceful stop: 128 + signal.
enum ExitCode {
  kOk = 0,
  kBadSettings = 2,
  kBadData = 3,
  kBadModel = 4,
  kOutOfMemory = 5,
  kDiverged = 6,
  kPeerLost = 69,
  kBug = 70,
  kCannotWrite = 74
};

/// What they mean, for people.
inline constexpr std::array<std::pair<int, const char*>, 9> kExitMeanings{
    {{kOk, "all is done"},
     {kBadSettings, "wrong flags or settings"},
     {kBadData, "a corpus or an input is not as it should be"},
     {kBadModel, "a model file is missing, damaged or of another kind"},
     {kOutOfMemory, "out of memory"},
     {kDiverged, "training diverged"},
     {kPeerLost, "another process of the run failed or is gone"},
     {kBug, "an internal error"},
     {kCannotWrite, "an output could not be written"}}};

/// The heading of the flags that every program has.
inline constexpr const char* kCommonGroup = "Common";

/// What a program is: its name, one sentence, an example line for --help, the libraries it reports under --version,
/// whether it finishes what it has begun after SIGTERM or SIGINT (core/process.h) rather than end at once, and the
/// settings that its settings files may have.
struct Program {
  std::string name;
  std::string purpose;
  std::string example;
  std::function<std::string()> libraries = {};  ///< empty = none beyond our own
  bool stops_gracefully = false;
  std::function<std::vector<core::SettingsSection>()> settings = {};  ///< empty = it reads no settings files
};

/// Adds the flags to `app` and returns the work to do once they are parsed. The work throws on failure.
using Setup = std::function<std::function<void()>(CLI::App& app)>;

/// The whole of main(): parses flags (common ones included: --quiet, --log-level, --color, --version), does the work,
/// prints one sentence to stderr if it fails, and returns the exit code. Never 0 when standard output could not be
/// written.
int run(int argc, char** argv, const Program& program, const Setup& setup);

}  // namespace ventris::apps
