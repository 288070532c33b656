#pragma once
#include <map>
#include <string>
#include <vector>

namespace ventris::model {

/// Reads every entry of a zip archive, so that all CRCs are checked, and keeps the content of entries in a folder
/// "extra/". Nothing is run. Throws ModelError with the file and the entry.
struct ZipArchive {
  /// What is kept besides the extra files: nothing, or all that is not compressed.
  enum class Keep { kExtra, kData };

  /// `name` is the name of the file in messages; empty = `path`.
  static ZipArchive open(const std::string& path, const std::string& name = "", Keep keep = Keep::kExtra);

  std::map<std::string, std::string> extra;  ///< file name under <top>/extra/ -> content
  std::map<std::string, std::string> entries;  ///< file name under <top>/ -> content of the others, with Keep::kData
};

}  // namespace ventris::model
