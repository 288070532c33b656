#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ventris::exports {

/// A zip file whose entries are not compressed. The data of each entry starts at a multiple of 64 bytes, so that it can
/// be used where the file is mapped.
class StoredZip {
 public:
  /// Throws ModelError if the file would have 4 GiB or more, or 65,535 entries or more: others need the format Zip64.
  void add(const std::string& name, std::string_view data);

  /// The file's bytes.
  std::string finish() &&;

 private:
  std::string bytes_;
  std::string directory_;
  uint16_t entries_ = 0;
};

}  // namespace ventris::exports
