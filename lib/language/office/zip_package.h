#pragma once
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct zip;  // of libzip

namespace ventris::office {

/// The files in a zip file that is in memory, such as those of a DOCX document. Nothing is written to a disk, and what
/// the archive says about sizes is not believed.
class ZipPackage {
 public:
  /// `bytes` must outlive this. Throws MarkupError if they are not a zip file, or a damaged or encrypted one, and for
  /// names that occur twice or lead out of the archive.
  explicit ZipPackage(std::string_view bytes);

  /// In the order of the archive.
  const std::vector<std::string>& names() const { return names_; }
  bool has(const std::string& name) const { return numbers_.contains(name); }

  /// The content of a file. Throws MarkupError if there is no such file, if it is damaged, and if all that was read so
  /// far is over markup::kLongestDocument.
  std::string read(const std::string& name);

 private:
  std::shared_ptr<zip> archive_;
  std::vector<std::string> names_;
  std::map<std::string, size_t> numbers_;  // by name
  size_t unpacked_ = 0;                    // bytes that were read
};

/// The zip file with these files, given by name, in the place of its own. All others keep their bytes, also as they are
/// compressed, and the order stays. Throws Error if the archive cannot be made.
std::string with_files(std::string_view bytes, const std::map<std::string, std::string>& files);

}  // namespace ventris::office
