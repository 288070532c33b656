#include "translation/scorer_loader.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/paths.h"

namespace ventris::translation {
namespace fs = std::filesystem;
namespace {

constexpr const char* kLibrary = "libventris_backend.so";

/// Where to look, in this order; a place that somebody named is the only one.
std::vector<std::string> places() {
  const char* given = std::getenv("VENTRIS_BACKEND");
  if (given != nullptr && *given != '\0') return {given};
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  std::vector<std::string> found{folder / kLibrary};
  for (const fs::path libraries : {"lib", VENTRIS_LIBDIR}) {
    const std::string place = folder.parent_path() / libraries / kLibrary;
    if (std::find(found.begin(), found.end(), place) == found.end()) found.push_back(place);
  }
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

/// Stays open until the process ends: factories and exceptions of its making are about.
void* open_library() {
  std::string looked;
  for (const std::string& place : places()) {
    looked += (looked.empty() ? "" : ", ") + place;
    if (!core::exists(place)) continue;
    void* library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) fail<ConfigError>(place, ": the translation backend cannot be loaded: ", dlerror());
    check_interface(library, place);
    return library;
  }
  fail<ConfigError>("the translation backend was not found (looked at ", looked,
                    "); build it with LibTorch, or name it in the environment variable VENTRIS_BACKEND");
}

}  // namespace

std::shared_ptr<const decoding::ScorerFactory> load_scorers(const decoding::ScorerLibraryOptions& options) {
  const auto open = entry<decoding::OpenScorers>(open_library(), decoding::kOpenScorers);
  return std::shared_ptr<const decoding::ScorerFactory>(open(options));
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
