#include "translation/scorer_loader.h"

#include <dlfcn.h>
#include <link.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/process.h"
#include "files/paths.h"
#include "installation/libtorch.h"
#include "installation/near_program.h"

namespace ventris::translation {
namespace fs = std::filesystem;
namespace {

constexpr const char* kLibrary = "libventris_backend.so";

/// Where to look first, in this order.
std::vector<std::string> places_near_the_program() {
  std::vector<std::string> found;
  const fs::path folder = installation::program_file().parent_path();
  for (const fs::path& place : installation::library_folders_near(folder)) found.push_back(place / kLibrary);
  return found;
}

template <typename Function>
Function entry(void* library, const char* name) {
  void* symbol = dlsym(library, name);
  if (symbol == nullptr) fail<ConfigError>("the translation backend has no entry ", name, "; it is of another build");
  return reinterpret_cast<Function>(symbol);
}

void check_interface(void* library, const std::string& place) {
  const auto interface = entry<decoding::ScorerInterface>(library, decoding::kScorerInterface);
  if (std::string(interface()) == decoding::scorer_interface()) return;
  fail<ConfigError>(place, ": the translation backend is of another build than this program; install both together");
}

/// The path of a loaded library, which the system's loader may have found by its name.
std::string file_of(void* library) {
  link_map* map = nullptr;
  return dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 ? map->l_name : kLibrary;
}

void load_libtorch() {
  using namespace installation;
  installation::load_libtorch(find_libtorch(libtorch_places(program_file())));
}

/// Whether the system's loader did not find LibTorch, which the backend needs.
bool lacks_libtorch(const std::string& reason) {
  return reason.find("cannot open shared object file") != std::string::npos &&
         (reason.starts_with("libtorch") || reason.starts_with("libc10"));
}

/// As dlopen(); null with the reason.
void* try_to_open(const std::string& place, std::string& reason) {
  void* library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) reason = dlerror();
  return library;
}

/// The same. LibTorch is looked for only if it must be: a backend in the build tree has a run path to it, and a program
/// may have loaded it already.
void* open_with_libtorch(const std::string& place, std::string& reason) {
  const bool named = !installation::named_libtorch().empty();
  if (named) load_libtorch();
  void* library = try_to_open(place, reason);
  if (library != nullptr || named || !lacks_libtorch(reason)) return library;
  load_libtorch();
  return try_to_open(place, reason);
}

/// Loads the library; null if it is not there. If `place` has no slash, the system's loader looks for it.
void* load(const std::string& place) {
  std::string reason;
  void* library = open_with_libtorch(place, reason);
  if (library == nullptr) {
    if (reason.starts_with(std::string(kLibrary) + ": cannot open shared object file")) return nullptr;
    fail<ConfigError>(place, ": the translation backend cannot be loaded: ", reason);
  }
  check_interface(library, file_of(library));
  return library;
}

/// The library stays open until the process ends, because its factories and exceptions may still exist.
void* open_library() {
  const std::string named = named_backend();
  std::string looked;
  for (const std::string& place : named.empty() ? places_near_the_program() : std::vector<std::string>{named}) {
    looked += (looked.empty() ? "" : ", ") + place;
    std::error_code gone;  // the current folder was removed
    if (files::exists(place)) return load(fs::absolute(place, gone));
  }
  if (named.empty()) {
    looked += ", the run path of the program and the system's libraries";
    if (void* library = load(kLibrary)) return library;
  }
  fail<NoBackendError>("the translation backend was not found (looked at ", looked,
                       "); build it with LibTorch, or name it in the environment variable VENTRIS_BACKEND");
}

/// With the signals of this program.
decoding::ScorerLibraryOptions with_signals(decoding::ScorerLibraryOptions options) {
  options.stop_signal = &core::stop_signal;
  return options;
}

}  // namespace

std::string named_backend() {
  const char* given = std::getenv("VENTRIS_BACKEND");
  return given != nullptr ? given : "";
}

std::shared_ptr<const decoding::ScorerFactory> open_backend_scorers(const decoding::ScorerLibraryOptions& options) {
  const auto open = entry<decoding::OpenScorers>(open_library(), decoding::kOpenScorers);
  return std::shared_ptr<const decoding::ScorerFactory>(open(with_signals(options)));
}

std::shared_ptr<const decoding::TextEncoderFactory> open_backend_encoder(
    const decoding::ScorerLibraryOptions& options) {
  const auto open = entry<decoding::OpenEncoder>(open_library(), decoding::kOpenEncoder);
  return std::shared_ptr<const decoding::TextEncoderFactory>(open(with_signals(options)));
}

decoding::OpenedModel opened(model::LoadedModel model) {
  const model::Package& package = model.package;
  return {package.path, package.config.to_json().dump(), std::move(model.weights), package.script};
}

std::string describe_backend() {
  try {
    return entry<decoding::DescribeScorers>(open_library(), decoding::kDescribeScorers)();
  } catch (const ConfigError& error) {
    return error.what();
  }
}

}  // namespace ventris::translation
