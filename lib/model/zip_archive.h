#pragma once
#include <map>
#include <string>
#include <vector>

namespace ventris::model {

/// Reads every entry of a zip archive, so that each one's CRC is checked, and keeps the content of those under a folder
/// "extra/". Nothing is run. Throws ModelError naming the file and the entry.
struct ZipArchive {
  /// `name` is what the file is called in messages; empty = as `path`.
  static ZipArchive open(const std::string& path, const std::string& name = "");

  std::map<std::string, std::string> extra;  ///< file name under <top>/extra/ -> content
};

}  // namespace ventris::model
