#include "translation/scorer_loader.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "core/error.h"

namespace ventris::translation {
namespace fs = std::filesystem;
namespace {

constexpr const char* kLibrary = "libventris_backend.so";

std::vector<std::string> places() {
  std::vector<std::string> found;
  if (const char* given = std::getenv("VENTRIS_BACKEND")) found.emplace_back(given);
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  found.push_back((folder / kLibrary).string());
  found.push_back((folder.parent_path() / "lib" / kLibrary).string());
  return found;
}

/// Stays open until the process ends: factories and exceptions of its making are about.
void* open_library() {
  std::string looked;
  for (const std::string& place : places()) {
    looked += (looked.empty() ? "" : ", ") + place;
    if (!fs::exists(place)) continue;
    if (void* library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
    fail<ConfigError>(place, ": the translation backend cannot be loaded: ", dlerror());
  }
  fail<ConfigError>("the translation backend was not found (looked at ", looked, "); build it with LibTorch, or name it in VENTRIS_BACKEND");
}

template <typename Function>
Function entry(const char* name) {
  void* symbol = dlsym(open_library(), name);
  if (symbol == nullptr) fail<ConfigError>("the translation backend has no entry ", name, "; it is of another build");
  return reinterpret_cast<Function>(symbol);
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
