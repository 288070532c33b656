#include "model/zip_archive.h"

#include <zip.h>

#include <memory>

#include "core/error.h"
#include "core/files.h"

namespace ventris::model {
namespace {

constexpr const char* kExtraFolder = "/extra/";
constexpr size_t kBlock = 1 << 20;

struct Discard {
  void operator()(zip_t* archive) const { zip_discard(archive); }
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};

/// Reads an entry to its end, where libzip compares its CRC. Keeps the bytes if `content` is given.
void read_entry(zip_t* archive, zip_uint64_t index, const std::string& where, std::string* content) {
  const std::unique_ptr<zip_file_t, Discard> file(zip_fopen_index(archive, index, 0));
  if (!file) fail<ModelError>(where, ": damaged: ", zip_strerror(archive));
  std::string block(kBlock, '\0');
  while (true) {
    const zip_int64_t got = zip_fread(file.get(), block.data(), block.size());
    if (got < 0) fail<ModelError>(where, ": damaged: ", zip_file_strerror(file.get()));
    if (got == 0) return;
    if (content != nullptr) content->append(block, 0, static_cast<size_t>(got));
  }
}

}  // namespace

ZipArchive ZipArchive::open(const std::string& path) {
  core::check_readable(path);
  int code = 0;
  const std::unique_ptr<zip_t, Discard> archive(zip_open(path.c_str(), ZIP_RDONLY | ZIP_CHECKCONS, &code));
  if (!archive) {
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    const std::string text = zip_error_strerror(&error);
    zip_error_fini(&error);
    fail<ModelError>(path, ": expected a bundle folder or a TorchScript file: ", text);
  }
  ZipArchive result;
  const zip_int64_t entries = zip_get_num_entries(archive.get(), 0);
  for (zip_int64_t i = 0; i < entries; ++i) {
    const auto index = static_cast<zip_uint64_t>(i);
    const std::string name = zip_get_name(archive.get(), index, 0);
    const size_t extra = name.find(kExtraFolder);
    std::string* kept = extra == std::string::npos ? nullptr : &result.extra[name.substr(extra + std::string(kExtraFolder).size())];
    read_entry(archive.get(), index, path + " (" + name + ")", kept);
  }
  return result;
}

}  // namespace ventris::model
