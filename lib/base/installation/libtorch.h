#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "core/error.h"

/// Finds LibTorch on the machine where a program runs, without being linked to it. A LibTorch is a folder with lib/ and
/// a file that states its version: an unpacked archive of PyTorch (build-version), or the folder `torch` of the Python
/// package (version.py).
namespace ventris::installation {

/// There is no LibTorch in any of the places, or the one that VENTRIS_LIBTORCH names does not fit.
struct NoLibTorchError : ConfigError {
  using ConfigError::ConfigError;
};

/// The LibTorch that a build needs.
struct WantedLibTorch {
  std::string version;                 ///< first two numbers, such as "2.13"; "" = any
  std::vector<std::string> libraries;  ///< names of files that must be in its lib/
};

/// Where it is looked for.
struct LibTorchPlaces {
  std::string named;                           ///< a folder; if it is not "", no other place is searched
  std::vector<std::filesystem::path> folders;  ///< searched first, in this order
  std::string python;                          ///< then the package `torch` of this interpreter; "" = none
};

/// The LibTorch with which this library was built; without the half that needs LibTorch, any LibTorch.
const WantedLibTorch& libtorch_of_build();

/// The folder in the environment variable VENTRIS_LIBTORCH; "" if it is not set.
std::string named_libtorch();

/// `named_libtorch()`; the folders libtorch/ beside the program, in the folder above it, and in the library folders of
/// the installation; python3. `program` is its file.
LibTorchPlaces libtorch_places(const std::filesystem::path& program);

/// The folder with the shared libraries of the first LibTorch that fits. Throws NoLibTorchError with all places and
/// what is wrong there.
std::filesystem::path find_libtorch(const LibTorchPlaces& places, const WantedLibTorch& wanted = libtorch_of_build());

/// Loads the libraries in this folder for the rest of the process. Libraries that are loaded later and need LibTorch
/// then use these. Does nothing if the process has a LibTorch already. Throws ConfigError if they cannot be loaded.
void load_libtorch(const std::filesystem::path& libraries);

}  // namespace ventris::installation
