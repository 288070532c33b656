#include "translation/scorer_loader.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "core/error.h"

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

/// Stays open until the process ends: factories and exceptions of its making are about.
void* open_library() {
  std::string looked;
  for (const std::string& place : places()) {
    looked += (looked.empty() ? "" : ", ") + place;
    std::error_code unknown;
    if (!fs::exists(place, unknown)) continue;
    if (void* library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
    fail<ConfigError>(place, ": the translation backend cannot be loaded: ", dlerror());
  }
  fail<ConfigError>("the translation backend was not found (looked at ", looked,
                    "); build it with LibTorch, or name it in the environment variable VENTRIS_BACKEND");
}

template <typename Function>
Function find_entry(void* library, const char* name) {
  void* symbol = dlsym(library, name);
  if (symbol == nullptr) fail<ConfigError>("the translation backend has no entry ", name, "; it is of another build");
  return reinterpret_cast<Function>(symbol);
}

template <typename Function>
Function entry(const char* name) {
  void* library = open_library();
  const auto interface = find_entry<decoding::ScorerInterface>(library, decoding::kScorerInterface);
  if (std::string(interface()) != decoding::scorer_interface()) {
    fail<ConfigError>("the translation backend ", kLibrary,
                      " is of another build than this program; install both together");
  }
  return find_entry<Function>(library, name);
}

}  // namespace

std::shared_ptr<const decoding::ScorerFactory> load_scorers(const decoding::ScorerLibraryOptions& options) {
  return std::shared_ptr<const decoding::ScorerFactory>(entry<decoding::OpenScorers>(decoding::kOpenScorers)(options));
}

std::string describe_backend() {
  try {
    return entry<decoding::DescribeScorers>(decoding::kDescribeScorers)();
  } catch (const ConfigError& error) {
    return error.what();
  }
}

}  // namespace ventris::translation
