#include <zip.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string_view>

#include "core/error.h"
#include "imports/model_files.h"
#include "model/zip_layout.h"
#include "text/valid_utf8.h"

namespace ventris::imports {
namespace {

constexpr std::string_view kBeginning = "PK\x03\x04";
/// What an entry may be when it is unpacked: so many times its size in the file, and so many bytes more. Weights are
/// nearly as large as in the file.
constexpr uint64_t kMostTimes = 30, kMostMore = 1 << 16;

struct CloseZip {
  void operator()(zip_t* archive) const { zip_discard(archive); }
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};

bool begins_as_zip(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;  // opening a pipe would wait
  std::string bytes(kBeginning.size(), '\0');
  std::ifstream file(path, std::ios::binary);
  return file.read(bytes.data(), static_cast<std::streamsize>(bytes.size())) && bytes == kBeginning;
}

/// Whether a name leads to a place in the archive and nowhere else.
bool stays_inside(std::string_view name) {
  if (name.empty() || name.front() == '/' || name.find('\\') != std::string_view::npos) return false;
  for (size_t begin = 0; begin <= name.size();) {
    const size_t end = std::min(name.find('/', begin), name.size());
    const std::string_view part = name.substr(begin, end - begin);
    if (part == "..") return false;
    begin = end + 1;
  }
  return text::is_valid_utf8(name);
}

class ZipFiles : public ModelFiles {
 public:
  ZipFiles(const std::string& path, const std::string& marker) : path_(path) {
    const std::vector<model::ZipPlace> places = model::zip_layout(path, path);
    int code = 0;
    archive_.reset(zip_open(path.c_str(), ZIP_RDONLY | ZIP_CHECKCONS, &code));
    if (!archive_) fail<ModelError>(path, ": damaged, or no zip file");
    if (zip_get_num_entries(archive_.get(), 0) != static_cast<zip_int64_t>(places.size())) damaged_twice();
    const std::string folder = marker.empty() ? "" : folder_with(marker, places);
    for (size_t i = 0; i < places.size(); ++i) {
      const std::string& name = places[i].name;
      if (!name.starts_with(folder) || name.size() == folder.size()) continue;
      if (!entries_.emplace(name.substr(folder.size()), i).second) {
        fail<ModelError>(path_, ": damaged: the file '", name, "' is there twice");
      }
    }
  }

  bool contains(const std::string& name) const override { return entries_.contains(name); }
  std::string where(const std::string& name) const override { return path_ + " (" + name + ")"; }
  core::SharedBytes read(const std::string& name) const override {
    const auto found = entries_.find(name);
    if (found == entries_.end()) fail<ModelError>(where(name), ": does not exist");
    const uint64_t size = size_of(name, found->second);
    const std::unique_ptr<zip_file_t, CloseZip> file(zip_fopen_index(archive_.get(), found->second, 0));
    if (!file) fail<ModelError>(where(name), ": damaged: ", zip_strerror(archive_.get()));
    std::string bytes(size + 1, '\0');  // with one more, libzip reads to the end, where it compares the crc32
    uint64_t done = 0;
    while (done < bytes.size()) {
      const zip_int64_t got = zip_fread(file.get(), bytes.data() + done, bytes.size() - done);
      if (got < 0) fail<ModelError>(where(name), ": damaged: ", zip_file_strerror(file.get()));
      if (got == 0) break;
      done += static_cast<uint64_t>(got);
    }
    if (done != size) fail<ModelError>(where(name), ": damaged: expected ", size, " bytes, found another number");
    bytes.resize(size);
    return core::SharedBytes(std::move(bytes));
  }

 private:
  [[noreturn]] void damaged_twice() const { fail<ModelError>(path_, ": damaged: it can be read in two ways"); }

  /// The name of the folder with this file, with its slash.
  std::string folder_with(const std::string& marker, const std::vector<model::ZipPlace>& places) const {
    std::string folder;
    for (const model::ZipPlace& place : places) {
      if (!stays_inside(place.name)) {
        fail<ModelError>(path_, ": its entry '", place.name, "' leads outside the archive; nothing was read");
      }
      const size_t slash = place.name.find('/');
      if (slash == std::string::npos || place.name.substr(slash + 1) != marker) continue;
      if (!folder.empty()) fail<ModelError>(path_, ": expected one folder with ", marker, ", found several");
      folder = place.name.substr(0, slash + 1);
    }
    if (folder.empty()) fail<ModelError>(path_, ": expected a folder with ", marker, ", found none");
    return folder;
  }

  /// The unpacked size, after checking that it can be trusted.
  uint64_t size_of(const std::string& name, uint64_t index) const {
    constexpr zip_uint64_t kNeeded =
        ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
    zip_stat_t status;
    if (zip_stat_index(archive_.get(), index, 0, &status) != 0 || (status.valid & kNeeded) != kNeeded) {
      fail<ModelError>(where(name), ": damaged: ", zip_strerror(archive_.get()));
    }
    if (status.encryption_method != ZIP_EM_NONE ||
        (status.comp_method != ZIP_CM_STORE && status.comp_method != ZIP_CM_DEFLATE)) {
      fail<ModelError>(where(name), ": expected an entry that is stored or deflated, and not encrypted");
    }
    if (status.size > kMostMore && (status.size - kMostMore) / kMostTimes > status.comp_size) {
      fail<ModelError>(where(name), ": has ", status.comp_size, " bytes in the archive and ", status.size,
                       " unpacked; expected at most ", kMostTimes, " times as many");
    }
    return status.size;
  }

  std::string path_;
  std::unique_ptr<zip_t, CloseZip> archive_;
  std::map<std::string, uint64_t> entries_;  // name in the folder -> number in the archive
};

/// Whether an entry of a zip file has such a name. Throws nothing.
bool any_name(const std::string& path, const std::function<bool(const std::string& name)>& is_such) {
  if (!begins_as_zip(path)) return false;
  try {
    return std::ranges::any_of(model::zip_layout(path, path), is_such, &model::ZipPlace::name);
  } catch (const ModelError&) {
    return false;
  }
}

}  // namespace

std::unique_ptr<ModelFiles> files_of_zip(const std::string& path, const std::string& marker) {
  return std::make_unique<ZipFiles>(path, marker);
}

bool is_zip_with(const std::string& path, const std::string& marker) {
  return any_name(path, [&](const std::string& name) {
    const size_t slash = name.find('/');
    return slash != std::string::npos && name.substr(slash + 1) == marker;
  });
}

bool is_zip_with_top(const std::string& path, const std::string& name) {
  return any_name(path, [&](const std::string& one) { return one == name; });
}

}  // namespace ventris::imports
