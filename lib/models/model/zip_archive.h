#pragma once
#include <functional>
#include <map>
#include <string>

namespace ventris::model {

/// Reads every entry of a zip archive, so that all CRCs are checked, and keeps the content of entries in a folder
/// "extra/". Nothing is run. What is kept is not larger than the file, because entries must not share bytes
/// (model/zip_layout.h). Throws ModelError with the file and the entry.
struct ZipArchive {
  /// Whether the entry <top>/`name` is kept besides the extra files. Compressed entries never are.
  using Keep = std::function<bool(const std::string& name)>;
  static bool all(const std::string& /*name*/) { return true; }

  /// `name` is the name of the file in messages; empty = `path`. Without `keep`, only the extra files are kept.
  static ZipArchive open(const std::string& path, const std::string& name = "", const Keep& keep = {});

  std::map<std::string, std::string> extra;  ///< file name under <top>/extra/ -> content
  std::map<std::string, std::string> entries;  ///< file name under <top>/ -> content of the others that are kept
};

}  // namespace ventris::model
