#include "model/zip_archive.h"

#include <zip.h>

#include <filesystem>
#include <memory>
#include <string_view>

#include "core/error.h"
#include "files/files.h"
#include "model/safetensors.h"
#include "model/zip_layout.h"

namespace ventris::model {
namespace {

constexpr zip_uint64_t kLargestText = 16 << 20, kMostText = 64 << 20;  // unpacked program text, per entry and in total
constexpr std::string_view kExtraFolder = "extra/", kCodeFolder = "code/";
constexpr size_t kBlock = 1 << 20;

struct Discard {
  void operator()(zip_t* archive) const { zip_discard(archive); }
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};
using Archive = std::unique_ptr<zip_t, Discard>;

/// Fails if the file, which is no archive, lies in the folder of a bundle.
void refuse_part_of_bundle(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
  std::error_code error;
  for (const char* name : {"MANIFEST", "config.json"}) {
    if (!std::filesystem::is_regular_file(folder / name, error)) return;
  }
  fail<ModelError>(path, ": this is one file of a bundle; give its folder: -m ", folder.string());
}

Archive open_archive(const std::string& file, const std::string& path) {
  try {
    files::check_readable(file);
  } catch (const DataError& error) {
    fail<ModelError>(error.what());
  }
  int code = 0;
  Archive archive(zip_open(file.c_str(), ZIP_RDONLY | ZIP_CHECKCONS, &code));
  if (archive) return archive;
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  const std::string text = zip_error_strerror(&error);
  zip_error_fini(&error);
  refuse_part_of_bundle(path);
  fail<ModelError>(path, ": damaged, or neither a bundle folder nor a TorchScript file: ", text);
}

struct Entry {
  std::string name;
  zip_uint64_t size = 0;  // as the archive says, which may be wrong
  bool packed = false;
};

/// The entry, after checking that it is where `place` says and not compressed, or that it is program text of limited
/// size. So what is read cannot be much larger than the file.
Entry checked_entry(zip_t* archive, zip_uint64_t index, const ZipPlace& place, const std::string& path) {
  zip_stat_t status;
  if (zip_stat_index(archive, index, 0, &status) != 0 || (status.valid & ZIP_STAT_NAME) == 0) {
    fail<ModelError>(path, ": damaged: ", zip_strerror(archive));
  }
  const std::string name = status.name;
  if (name.empty() || !is_printable(name)) {
    fail<ModelError>(path, ": damaged: an entry's name is empty or not printable");
  }
  if (name != place.name || (status.valid & ZIP_STAT_COMP_SIZE) == 0 || status.comp_size != place.bytes) {
    fail<ModelError>(path, " (", name, "): damaged: the archive can be read in two ways");
  }
  const bool known = (status.valid & ZIP_STAT_COMP_METHOD) != 0 && (status.valid & ZIP_STAT_SIZE) != 0 &&
                     (status.valid & ZIP_STAT_ENCRYPTION_METHOD) != 0 && status.encryption_method == ZIP_EM_NONE;
  // LibTorch compresses only the program text of an export.
  const bool text = name.compare(name.find('/') + 1, kCodeFolder.size(), kCodeFolder) == 0 &&
                    status.comp_method == ZIP_CM_DEFLATE && status.size <= kLargestText;
  if (!known || (status.comp_method != ZIP_CM_STORE && !text)) {
    fail<ModelError>(path, " (", name, "): expected an entry that is neither compressed nor encrypted");
  }
  if (!text && status.size != status.comp_size) {
    fail<ModelError>(path, " (", name, "): damaged: it has ", status.comp_size, " bytes, but says ", status.size);
  }
  return {name, status.size, text};
}

/// Reads an entry to its end, where libzip compares its CRC. Keeps the bytes if `content` is given.
void read_entry(zip_t* archive, zip_uint64_t index, zip_uint64_t size, const std::string& where, std::string& block,
                std::string* content) {
  const std::unique_ptr<zip_file_t, Discard> file(zip_fopen_index(archive, index, 0));
  if (!file) fail<ModelError>(where, ": damaged: ", zip_strerror(archive));
  while (true) {
    const zip_int64_t got = zip_fread(file.get(), block.data(), block.size());
    if (got < 0) fail<ModelError>(where, ": damaged: ", zip_file_strerror(file.get()));
    if (static_cast<zip_uint64_t>(got) > size) fail<ModelError>(where, ": damaged: it is longer than its stated size");
    if (got == 0) return;
    size -= static_cast<zip_uint64_t>(got);
    if (content != nullptr) content->append(block, 0, static_cast<size_t>(got));
  }
}

/// Where the content of an entry is kept; null = nowhere.
std::string* place_of(const Entry& entry, const ZipArchive::Keep& keep, ZipArchive& result) {
  const size_t folder = entry.name.find('/') + 1;  // 0 if there is none
  const std::string name = entry.name.substr(folder);
  if (folder == 0 || name.empty()) return nullptr;
  if (name.starts_with(kExtraFolder) && name.size() > kExtraFolder.size()) {
    return &result.extra[name.substr(kExtraFolder.size())];
  }
  return keep && !entry.packed && keep(name) ? &result.entries[name] : nullptr;
}

/// `file` is the path to open, `path` the name in messages.
ZipArchive read_archive(const std::string& file, const std::string& path, const ZipArchive::Keep& keep) {
  const Archive archive = open_archive(file, path);
  const std::vector<ZipPlace> places = zip_layout(file, path);
  if (zip_get_num_entries(archive.get(), 0) != static_cast<zip_int64_t>(places.size())) {
    fail<ModelError>(path, ": damaged: the archive can be read in two ways");
  }
  ZipArchive result;
  std::string block(kBlock, '\0');
  zip_uint64_t text = 0;
  for (size_t index = 0; index < places.size(); ++index) {
    const Entry entry = checked_entry(archive.get(), index, places[index], path);
    const std::string where = path + " (" + entry.name + ")";
    if (entry.packed && (text += entry.size) > kMostText) {
      fail<ModelError>(where, ": expected at most ", kMostText, " bytes of program text in total");
    }
    std::string* kept = place_of(entry, keep, result);
    if (kept != nullptr && !kept->empty()) fail<ModelError>(where, ": damaged: the entry occurs twice");
    read_entry(archive.get(), index, entry.size, where, block, kept);
  }
  return result;
}

}  // namespace

ZipArchive ZipArchive::open(const std::string& path, const std::string& name, const Keep& keep) {
  return read_archive(path, name.empty() ? path : name, keep);
}

}  // namespace ventris::model
