/// Starts a program that is linked to LibTorch. `cmake --install` puts a copy of this file into bin/ for each such
/// program, under its name. The copy finds LibTorch, puts its folder into LD_LIBRARY_PATH, and becomes the program of
/// the same name in libexec/ventris/: arguments, standard streams, signals and the process id stay as they are. The
/// system's loader would refuse to start a program without LibTorch, with a message that does not say what to do.
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>

#include "core/error.h"
#include "core/log.h"
#include "core/process.h"
#include "core/resources.h"
#include "installation/libtorch.h"
#include "installation/near_program.h"
#include "support/run.h"

namespace {

namespace fs = std::filesystem;
using ventris::ConfigError;
using ventris::fail;

/// Throws ConfigError for a folder that cannot be in a list.
void put_first_into_library_path(const fs::path& folder) {
  if (folder.string().find_first_of(":;") != std::string::npos) {
    fail<ConfigError>(folder.string(), ": expected a folder of LibTorch without ':' and ';' in its path, which the ",
                      "system's loader takes for the end of a folder; use a link to it");
  }
  const char* others = std::getenv("LD_LIBRARY_PATH");
  const std::string all = folder.string() + (others != nullptr && *others != '\0' ? ":" + std::string(others) : "");
  setenv("LD_LIBRARY_PATH", all.c_str(), 1);
}

/// Becomes the program, or throws ConfigError.
[[noreturn]] void start(const fs::path& launcher, char** argv) {
  const fs::path program =
      (launcher.parent_path() / VENTRIS_PROGRAMS_FROM_BIN / launcher.filename()).lexically_normal();
  if (access(program.c_str(), X_OK) != 0) {
    fail<ConfigError>(program.string(), ": ", std::strerror(errno), "; this installation of Ventris is not complete");
  }
  const auto places = ventris::installation::libtorch_places(launcher);
  put_first_into_library_path(ventris::installation::find_libtorch(places));
  execv(program.c_str(), argv);
  fail<ConfigError>(program.string(), ": cannot be started: ", std::strerror(errno));
}

}  // namespace

int main(int, char** argv) {
  ventris::core::fill_standard_streams();
  const fs::path launcher = ventris::installation::program_file();
  try {
    start(launcher, argv);
  } catch (const ventris::Error& error) {
    std::cerr << ventris::core::as_error(launcher.filename().string() + ":") << ' ' << error.what() << '\n';
    const bool refused = dynamic_cast<const ventris::ResourceError*>(&error) != nullptr;
    return refused ? ventris::apps::kOutOfResources : ventris::apps::kBadSettings;
  }
}
