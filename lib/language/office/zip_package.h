#pragma once
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "markup/markup.h"

struct zip;  // of libzip

namespace ventris::office {

/// Most files in a zip file. Documents have some hundred, books of pictures some thousand.
inline constexpr size_t kMostFiles = 20'000;

/// The files in a zip file that is in memory, such as those of a DOCX document. Nothing is written to a disk, and what
/// the archive says about sizes is not believed.
class ZipPackage {
 public:
  /// `bytes` must outlive this. `most_unpacked`: bytes that read() may give, over all files. Throws MarkupError if they
  /// are not a zip file, or a damaged or encrypted one, for names that occur twice or lead out of the archive, and for
  /// more than kMostFiles files.
  explicit ZipPackage(std::string_view bytes, size_t most_unpacked = markup::kLongestDocument);

  /// In the order of the archive.
  const std::vector<std::string>& names() const { return names_; }
  bool has(const std::string& name) const { return numbers_.contains(name); }

  /// The content of a file. Throws MarkupError if there is no such file, if it is damaged, and if all that was read so
  /// far is over the limit; no more than that is unpacked.
  std::string read(const std::string& name);

 private:
  std::shared_ptr<zip> archive_;
  std::vector<std::string> names_;
  std::map<std::string, size_t> numbers_;  // by name
  size_t most_unpacked_;
  size_t unpacked_ = 0;  // bytes that were read
};

/// The zip file with these files, given by name, in the place of its own. All others keep their bytes, also as they are
/// compressed, and the order stays. Throws Error if the archive cannot be made.
std::string with_files(std::string_view bytes, const std::map<std::string, std::string>& files);

}  // namespace ventris::office
