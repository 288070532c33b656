#pragma once
#include <string>
#include <utility>
#include <vector>

#include "support/temp_folder.h"
#include "support/zip.h"

namespace ventris::test {

/// The bytes of a zip file with these entries.
inline std::string zip_bytes(const std::vector<std::pair<std::string, std::string>>& entries,
                             zip_int32_t method = ZIP_CM_DEFLATE) {
  const TempFolder folder;
  write_zip(folder.path("a.zip"), entries, method);
  return file_bytes(folder.path("a.zip"));
}

}  // namespace ventris::test
