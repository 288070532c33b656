#include "office/zip_package.h"

#include <zip.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include "core/error.h"

namespace ventris::office {
namespace {

using markup::MarkupError;

constexpr size_t kBlock = 1 << 16;

struct Close {
  void operator()(zip_t* archive) const { zip_discard(archive); }
  void operator()(zip_file_t* file) const { zip_fclose(file); }
  void operator()(zip_source_t* source) const { zip_source_free(source); }
};
using ZipArchive = std::unique_ptr<zip_t, Close>;
using ZipSource = std::unique_ptr<zip_source_t, Close>;

struct ZipError {
  ZipError() { zip_error_init(&error); }
  ~ZipError() { zip_error_fini(&error); }
  ZipError(const ZipError&) = delete;
  ZipError& operator=(const ZipError&) = delete;
  zip_error_t error{};
};

struct OpenZip {
  ZipSource source;  // kept beside that of the archive
  ZipArchive archive;
};

/// The bytes as a source. One that is written to must own them: libzip 1.7 frees them then, whoever owns them.
ZipSource source_of(std::string_view bytes, bool written, zip_error_t* error) {
  if (!written) return ZipSource(zip_source_buffer_create(bytes.data(), bytes.size(), 0, error));
  std::unique_ptr<void, void (*)(void*)> copy(std::malloc(bytes.size()), std::free);
  if (!copy) throw std::bad_alloc();
  std::memcpy(copy.get(), bytes.data(), bytes.size());
  ZipSource source(zip_source_buffer_create(copy.get(), bytes.size(), 1, error));
  if (source) static_cast<void>(copy.release());
  return source;
}

OpenZip open_zip(std::string_view bytes, int flags) {
  ZipError error;
  OpenZip open;
  open.source = source_of(bytes, (flags & ZIP_RDONLY) == 0, &error.error);
  if (open.source) {
    zip_source_keep(open.source.get());
    open.archive.reset(zip_open_from_source(open.source.get(), flags, &error.error));
    if (!open.archive) zip_source_free(open.source.get());
  }
  if (!open.archive && zip_error_code_zip(&error.error) == ZIP_ER_EXISTS) {
    fail<MarkupError>("damaged: a file is in it twice");
  }
  if (!open.archive) fail<MarkupError>("damaged: not a whole zip file: ", zip_error_strerror(&error.error));
  return open;
}

/// Throws MarkupError for what is no zip file at all.
void check_start(std::string_view bytes) {
  constexpr std::string_view kZip("PK\x03\x04"), kOle("\xD0\xCF\x11\xE0");
  if (bytes.starts_with(kZip)) return;
  if (bytes.starts_with(kOle)) {
    fail<MarkupError>(
        "a document with a password, or one of an old version of Microsoft Office, which is not read; "
        "save it without a password, as DOCX");
  }
  fail<MarkupError>("not a zip file, as DOCX, ODT and EPUB are");
}

bool leads_out(std::string_view name) {
  if (name.empty() || name.front() == '/' || name.find('\\') != std::string_view::npos) return true;
  while (!name.empty()) {
    const std::string_view step = name.substr(0, name.find('/'));
    if (step == "..") return true;
    name.remove_prefix(std::min(step.size() + 1, name.size()));
  }
  return false;
}

zip_stat_t status_of(zip_t* archive, size_t number) {
  zip_stat_t status;
  if (zip_stat_index(archive, number, 0, &status) != 0) fail<MarkupError>("damaged: ", zip_strerror(archive));
  return status;
}

std::string bytes_of(zip_source_t* source) {
  const auto check = [&](bool good) {
    if (!good) fail<Error>("a zip file could not be made: ", zip_error_strerror(zip_source_error(source)));
  };
  zip_stat_t status;
  check(zip_source_stat(source, &status) == 0 && zip_source_open(source) == 0);
  std::string bytes(status.size, '\0');
  const zip_int64_t got = zip_source_read(source, bytes.data(), bytes.size());
  zip_source_close(source);
  check(got == static_cast<zip_int64_t>(bytes.size()));
  return bytes;
}

/// Puts a file in the place of another one, with its compression and time.
void replace_file(zip_t* archive, const std::string& name, const std::string& content) {
  const auto check = [&](bool good) {
    if (!good) fail<Error>("a zip file could not be made: ", name, ": ", zip_strerror(archive));
  };
  const zip_int64_t found = zip_name_locate(archive, name.c_str(), ZIP_FL_ENC_RAW);
  check(found >= 0);
  const auto number = static_cast<zip_uint64_t>(found);
  const zip_stat_t status = status_of(archive, number);
  zip_source_t* const source = zip_source_buffer(archive, content.data(), content.size(), 0);
  check(source != nullptr);
  if (zip_file_replace(archive, number, source, 0) != 0) {
    zip_source_free(source);
    check(false);
  }
  const zip_int32_t method = status.comp_method == ZIP_CM_STORE ? ZIP_CM_STORE : ZIP_CM_DEFLATE;
  check(zip_set_file_compression(archive, number, method, 0) == 0);
  if ((status.valid & ZIP_STAT_MTIME) != 0) check(zip_file_set_mtime(archive, number, status.mtime, 0) == 0);
}

}  // namespace

ZipPackage::ZipPackage(std::string_view bytes, size_t most_unpacked) : most_unpacked_(most_unpacked) {
  check_start(bytes);
  archive_ = open_zip(bytes, ZIP_RDONLY | ZIP_CHECKCONS).archive;
  zip_t* const archive = archive_.get();
  const auto files = static_cast<size_t>(zip_get_num_entries(archive, 0));
  if (files > kMostFiles) fail<MarkupError>("has ", files, " files in it; expected at most ", kMostFiles);
  for (size_t number = 0; number < files; ++number) {
    const char* const raw = zip_get_name(archive, number, ZIP_FL_ENC_RAW);
    const std::string name = raw == nullptr ? "" : raw;
    if (leads_out(name)) fail<MarkupError>("a file in it has the name '", name, "', which leads out of the document");
    numbers_.emplace(name, number);
    if (status_of(archive, number).encryption_method != ZIP_EM_NONE) {
      fail<MarkupError>(name, " is encrypted; save the document without a password");
    }
    names_.push_back(name);
  }
}

std::string ZipPackage::read(const std::string& name) {
  const auto found = numbers_.find(name);
  if (found == numbers_.end()) fail<MarkupError>("damaged: the file ", name, " is missing in it");
  zip_t* const archive = archive_.get();
  const std::unique_ptr<zip_file_t, Close> file(zip_fopen_index(archive, found->second, 0));
  if (!file) fail<MarkupError>(name, ": damaged: ", zip_strerror(archive));
  std::string content, block(kBlock, '\0');
  while (true) {
    const zip_int64_t got = zip_fread(file.get(), block.data(), block.size());
    if (got < 0) fail<MarkupError>(name, ": damaged: ", zip_file_strerror(file.get()));
    if (got == 0) return content;
    unpacked_ += static_cast<size_t>(got);
    if (unpacked_ > most_unpacked_) {
      fail<MarkupError>(name, ": the texts of the document are over ", most_unpacked_ >> 20,
                        " MiB when they are unpacked; divide the document");
    }
    content.append(block, 0, static_cast<size_t>(got));
  }
}

std::string with_files(std::string_view bytes, const std::map<std::string, std::string>& files) {
  if (files.empty()) return std::string(bytes);
  OpenZip open = open_zip(bytes, 0);
  for (const auto& [name, content] : files) replace_file(open.archive.get(), name, content);
  if (zip_close(open.archive.get()) != 0)
    fail<Error>("a zip file could not be made: ", zip_strerror(open.archive.get()));
  static_cast<void>(open.archive.release());
  return bytes_of(open.source.get());
}

}  // namespace ventris::office
