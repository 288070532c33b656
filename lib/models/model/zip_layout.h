#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace ventris::model {

/// An entry of a zip archive, as its directory describes it.
struct ZipPlace {
  std::string name;
  uint64_t bytes = 0;  ///< as stored, perhaps compressed
};

/// The entries of the zip archive `file` in the order of its directory. libzip and LibTorch believe what the directory
/// says about places; here it is checked that every entry (local header and data) has bytes of its own before the
/// directory, so that the entries together are not larger than the file. Reads the directory and the local headers,
/// also those of Zip64. Throws ModelError, beginning with `path`.
std::vector<ZipPlace> zip_layout(const std::string& file, const std::string& path);

}  // namespace ventris::model
