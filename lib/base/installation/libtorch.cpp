#include "installation/libtorch.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "files/paths.h"
#include "installation/near_program.h"
#include "installation/python_package.h"

namespace ventris::installation {
namespace fs = std::filesystem;
namespace {

constexpr const char* kMainLibrary = "libtorch.so";        // needs all others
constexpr const char* kCpuLibrary = "libtorch_cpu.so";  // of every kind of LibTorch
constexpr const char* kPackage = "torch";

std::string title(const WantedLibTorch& wanted) {
  return wanted.version.empty() ? "LibTorch" : "LibTorch " + wanted.version;
}

/// "2.13.0+cpu" from build-version, or from the line `__version__ = '2.13.0+cpu'` of version.py; "" if neither says so.
std::string version_in(const fs::path& root) {
  std::string line;
  if (std::ifstream file(root / "build-version"); std::getline(file, line)) return line;
  std::ifstream file(root / "version.py");
  while (std::getline(file, line)) {
    if (!line.starts_with("__version__")) continue;
    const size_t begin = line.find_first_of("'\""), end = line.find_last_of("'\"");
    if (begin < end) return line.substr(begin + 1, end - begin - 1);
  }
  return "";
}

/// Whether "2.13.0+cpu" begins with the numbers "2.13".
bool fits(const std::string& version, const std::string& wanted) {
  if (wanted.empty()) return true;
  return version.starts_with(wanted) && (version.size() == wanted.size() || version[wanted.size()] == '.');
}

/// Why this folder cannot be used, as the end of a sentence that begins with its name; "" = it can.
std::string obstacle(const fs::path& root, const WantedLibTorch& wanted) {
  if (!files::exists(root)) return "does not exist";
  for (const std::string& library : wanted.libraries) {
    if (!files::exists(root / "lib" / library)) return "has no lib/" + library;
  }
  const std::string version = version_in(root);
  if (version.empty()) return "has no file build-version or version.py that states its version";
  return fits(version, wanted.version) ? "" : "has version " + version;
}

/// The folder that contains `folder`, whether this ends with a slash or not; links stay.
fs::path parent_of(const fs::path& folder) { return (folder / ".").lexically_normal().parent_path().parent_path(); }

fs::path find_named(const std::string& named, const WantedLibTorch& wanted) {
  std::error_code gone;  // the current folder was removed
  fs::path root = fs::absolute(named, gone);
  if (files::exists(root / kMainLibrary)) root = parent_of(root);  // lib/ itself was named
  const std::string reason = obstacle(root, wanted);
  if (reason.empty()) return root / "lib";
  fail<NoLibTorchError>("VENTRIS_LIBTORCH: expected the folder of a ", title(wanted), ", but ", root.string(), " ",
                        reason, "; name an unpacked LibTorch or the folder of the Python package torch");
}

/// Remembers where LibTorch was looked for, for the message.
struct Search {
  const WantedLibTorch& wanted;
  std::string looked = {};

  void add(const std::string& place) { looked += (looked.empty() ? "" : ", ") + place; }

  /// Whether the LibTorch in `root` can be used.
  bool accepts(const fs::path& root) {
    const std::string reason = obstacle(root, wanted);
    if (!reason.empty()) add(root.string() + (files::exists(root) ? " (it " + reason + ")" : ""));
    return reason.empty();
  }
};

}  // namespace

const WantedLibTorch& libtorch_of_build() {
  static const WantedLibTorch wanted = [] {
    std::istringstream names(VENTRIS_TORCH_LIBRARIES);
    WantedLibTorch build{VENTRIS_TORCH_VERSION, {}};
    for (std::string name; names >> name;) build.libraries.push_back(name);
    return build;
  }();
  return wanted;
}

std::string named_libtorch() {
  const char* given = std::getenv("VENTRIS_LIBTORCH");
  return given != nullptr ? given : "";
}

LibTorchPlaces libtorch_places(const fs::path& program) {
  const fs::path folder = program.parent_path();
  std::vector<fs::path> parents = library_folders_near(folder);
  parents.insert(parents.begin() + 1, folder.parent_path());
  LibTorchPlaces places{named_libtorch(), {}, "python3"};
  for (const fs::path& parent : parents) places.folders.push_back(parent / "libtorch");
  return places;
}

fs::path find_libtorch(const LibTorchPlaces& places, const WantedLibTorch& wanted) {
  if (!places.named.empty()) return find_named(places.named, wanted);
  Search search{wanted};
  for (const fs::path& root : places.folders) {
    if (search.accepts(root)) return root / "lib";
  }
  if (!places.python.empty()) {
    const fs::path root = python_package(places.python, kPackage);
    if (!root.empty() && search.accepts(root)) return root / "lib";
    if (root.empty()) search.add("the packages of " + places.python);
  }
  fail<NoLibTorchError>(title(wanted), " was not found (looked at ", search.looked,
                        "); activate a Python that has the package ", kPackage, " ", wanted.version,
                        ", or name the folder of LibTorch in the environment variable VENTRIS_LIBTORCH");
}

void load_libtorch(const fs::path& libraries) {
  if (dlopen(kCpuLibrary, RTLD_LAZY | RTLD_NOLOAD) != nullptr) return;
  const std::string file = libraries / kMainLibrary;
  if (dlopen(file.c_str(), RTLD_LAZY | RTLD_LOCAL) != nullptr) return;  // stays open
  const std::string reason = dlerror();
  fail<ConfigError>(file, ": LibTorch cannot be loaded: ", reason);
}

}  // namespace ventris::installation
