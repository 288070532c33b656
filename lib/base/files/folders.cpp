#include "files/folders.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <csignal>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>

#include "core/error.h"
#include "core/printable.h"
#include "core/utf8.h"
#include "files/files.h"
#include "files/mapped_file.h"
#include "files/paths.h"
#include "files/placing.h"
#include "files/replacing.h"

namespace ventris::files {
using core::cut_utf8;
using core::printable;
using core::SharedBytes;

namespace fs = std::filesystem;
namespace {

std::string without_last_slashes(const std::string& path) { return path.substr(0, path.find_last_not_of('/') + 1); }

void check_space(const std::string& folder, size_t bytes) {
  std::error_code error;
  const auto space = fs::space(folder, error);
  if (!error && space.available < bytes + bytes / 10) {
    fail<WriteError>(folder, ": not enough free space: ", bytes + bytes / 10, " bytes needed, ", space.available,
                     " free; make room, or use a folder on another disk");
  }
}

std::string manifest_line(size_t size, uint32_t checksum, const std::string& name) {
  std::ostringstream line;
  line << size << ' ' << std::hex << checksum << ' ' << name;
  return line.str();
}

struct ManifestEntry {
  size_t size = 0;
  uint32_t checksum = 0;
  std::string name;
};

/// Reads a file of a model. Errors of reading become errors of the model.
std::string read_model_file(const std::string& path) {
  try {
    return read_plain_file(path);
  } catch (const DataError& error) {
    fail<UnreadableError>(error.what());
  }
}

bool may_be_named(const std::string& name) {
  return !name.empty() && name[0] != '.' && name.find('/') == std::string::npos && printable(name) == name;
}

/// Parses a line of MANIFEST. Empty if the line is not exactly as write_folder writes it, because it is then damaged.
/// As an exception, a checksum may have leading zeros, because other tools write all eight digits.
std::optional<ManifestEntry> parse_entry(std::string line) {
  constexpr size_t kMostDigits = 8;
  const size_t begin = line.find(' ') + 1, end = line.find(' ', begin);  // of the checksum
  if (begin == 0 || end == std::string::npos || end == begin || end - begin > kMostDigits) return std::nullopt;
  line.erase(begin, std::min(line.find_first_not_of('0', begin), end - 1) - begin);
  ManifestEntry entry;
  std::istringstream fields(line);
  if (!(fields >> entry.size >> std::hex >> entry.checksum >> entry.name)) return std::nullopt;
  const bool allowed = may_be_named(entry.name) && line == manifest_line(entry.size, entry.checksum, entry.name);
  return allowed ? std::optional(std::move(entry)) : std::nullopt;
}

/// The entries of MANIFEST.
std::vector<ManifestEntry> read_manifest(const std::string& path) {
  constexpr uintmax_t kMostBytes = 1 << 20;  // ours have some 200
  std::error_code error;
  if (const uintmax_t bytes = fs::file_size(path, error); !error && bytes > kMostBytes) {
    fail<ModelError>(path, ": expected at most ", kMostBytes, " bytes, found ", bytes, "; the file is damaged");
  }
  std::istringstream manifest(read_model_file(path));
  std::vector<ManifestEntry> entries;
  std::set<std::string> names;
  bool ended = false;
  for (std::string line; std::getline(manifest, line);) {
    if (ended) fail<ModelError>(path, ": text after END; the file is damaged");
    if (line == "END" && !manifest.eof()) {
      ended = true;
      continue;
    }
    std::optional<ManifestEntry> entry = parse_entry(line);
    if (!entry || !names.insert(entry->name).second) {
      fail<ModelError>(path, ": bad line '", cut_utf8(line, 80), "'; the file is damaged");
    }
    entries.push_back(std::move(*entry));
  }
  if (!ended) fail<ModelError>(path, ": does not end with END; the file is truncated");
  return entries;
}

/// The files of a folder that write_folder wrote, including MANIFEST; empty if there is no MANIFEST. If MANIFEST is
/// damaged, `usual` replaces its list.
OwnNames own_names(const std::string& path, const std::vector<std::string>& usual) {
  const std::string manifest = (fs::path(path) / "MANIFEST").string();
  std::error_code ignored;
  if (!fs::exists(manifest, ignored)) return {};
  OwnNames names{"MANIFEST"};
  try {
    for (const ManifestEntry& entry : read_manifest(manifest)) names.insert(entry.name);
  } catch (const ModelError&) {
    names.insert(usual.begin(), usual.end());
  }
  return names;
}

std::vector<std::string> names_of(const std::vector<NamedBytes>& files) {
  std::vector<std::string> names;
  for (const auto& [name, bytes] : files) names.push_back(name);
  return names;
}

void check_size(const std::string& file, uint64_t expected, uint64_t found) {
  if (found == expected) return;
  fail<ModelError>(file, ": damaged: MANIFEST says ", expected, " bytes, found ", found);
}

void check_checksum(const std::string& file, uint32_t expected, uint32_t found) {
  if (found != expected) fail<ModelError>(file, ": damaged: its checksum differs from MANIFEST's");
}

/// The content of a file, after its checks.
std::string read_checked(const std::string& file, const ManifestEntry& entry) {
  std::string bytes = read_model_file(file);
  check_size(file, entry.size, bytes.size());
  check_checksum(file, entry.checksum, crc32(bytes));
  return bytes;
}

/// The same for a file that is not read into memory.
SharedBytes map_checked(const std::string& file, const ManifestEntry& entry) {
  const MappedFile opened(file);
  check_size(file, entry.size, opened.size());
  check_checksum(file, entry.checksum, opened.checksum());
  return opened.map();
}

/// What is denied may be intact: it must not be called missing, damaged or no folder.
void check_access(const std::string& path) {
  if (const std::string problem = access_problem(path); !problem.empty()) {
    fail<UnreadableError>(path, ": cannot be read: ", problem);
  }
}

/// Passes on the path and the entry of each file that MANIFEST names. It exists.
template <typename Visit>
void visit_entries(const std::string& path, const Visit& visit) {
  const auto full = [&](const std::string& name) { return (fs::path(path) / name).string(); };
  std::error_code error;
  check_access(path);
  if (!fs::is_directory(path, error)) fail<ModelError>(path, ": not a folder; expected a model or checkpoint folder");
  check_access(full("MANIFEST"));
  if (!fs::exists(full("MANIFEST"), error)) {
    fail<ModelError>(path, ": has no MANIFEST; expected a complete model or checkpoint folder (an interrupted copy?)");
  }
  for (const ManifestEntry& entry : read_manifest(full("MANIFEST"))) {
    const std::string file = full(entry.name);
    if (!fs::exists(file, error)) fail<ModelError>(file, ": named in MANIFEST but missing");
    if (!fs::is_regular_file(file, error)) fail<ModelError>(file, ": named in MANIFEST but not a regular file");
    visit(file, entry);
  }
}

/// The same for files in `wanted` (empty = all). All files have the sizes that MANIFEST says.
template <typename Visit>
void visit_folder(const std::string& path, const std::set<std::string>& wanted, const Visit& visit) {
  visit_entries(path, [&](const std::string& file, const ManifestEntry& entry) {
    std::error_code error;
    if (const uintmax_t size = fs::file_size(file, error); !error) check_size(file, entry.size, size);
    if (wanted.empty() || wanted.contains(entry.name)) visit(file, entry);
  });
}

/// Identifies the folder that a path names at the moment; it changes when write_folder replaces the folder.
std::tuple<dev_t, ino_t, time_t, long> identity_of(const std::string& path) {
  struct stat status{};
  if (stat(path.c_str(), &status) != 0) return {};
  return {status.st_dev, status.st_ino, status.st_ctim.tv_sec, status.st_ctim.tv_nsec};
}

/// Returns the result of `read`. If the folder was replaced meanwhile, so that files of both versions were read, it
/// reads again.
template <typename Read>
auto read_undisturbed(const std::string& path, const Read& read) {
  while (true) {
    const auto before = identity_of(path);
    try {
      return read();
    } catch (const ModelError&) {
      if (identity_of(path) == before) throw;
    }
  }
}

/// Whether a file or folder is an unfinished output of OutputFile or write_folder, of a process that is gone and with
/// one of our names.
bool is_leftover(const std::string& name, const std::function<bool(const std::string&)>& is_ours) {
  if (!name.starts_with(kTemporaryPrefix)) return false;
  const char* first = name.c_str() + std::strlen(kTemporaryPrefix);
  pid_t writer = 0;
  const auto [end, error] = std::from_chars(first, name.c_str() + name.size(), writer);
  if (error != std::errc() || *end != '-' || writer <= 0 || !is_ours(end + 1)) return false;
  return writer == getpid() || (kill(writer, 0) != 0 && errno == ESRCH);
}

void remove_unfinished(const std::string& parent, const std::function<bool(const std::string&)>& is_ours) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(parent, error)) {
    if (is_leftover(entry.path().filename().string(), is_ours)) fs::remove_all(entry.path(), error);
  }
}

}  // namespace

void prepare_folder_target(const std::string& path) {
  std::error_code error;
  if (path.empty()) fail<ConfigError>("the name of the folder to write is empty");
  const bool is_ours = !fs::exists(path, error) || fs::exists(fs::path(path) / "MANIFEST", error);
  if (!is_ours && !(fs::is_directory(path, error) && fs::is_empty(path, error))) {
    fail<ConfigError>(path, ": exists and is not a model folder; only model folders are replaced; give another name");
  }
  const std::string folder = without_last_slashes(path), name = fs::path(folder).filename().string();
  remove_unfinished(parent_of(folder), [&name](const std::string& other) { return other == name; });
}

void write_folder(const std::string& given, const std::vector<NamedBytes>& files) {
  const std::string path = without_last_slashes(given);
  const std::string parent = parent_of(path), temporary = temporary_name(path);
  size_t total = 0;
  std::ostringstream manifest;
  for (const auto& [name, bytes] : files) {
    total += bytes.size();
    manifest << manifest_line(bytes.size(), crc32(bytes), name) << '\n';
  }
  manifest << "END\n";
  std::error_code error;
  fs::create_directories(parent, error);
  if (error) fail<WriteError>(parent, ": cannot create the folder: ", error.message());
  check_space(parent, total);
  fs::remove_all(temporary, error);
  try {
    if (!fs::create_directory(temporary, error)) fail<WriteError>(path, ": cannot be written: ", error.message());
    for (const auto& [name, bytes] : files) write_file((fs::path(temporary) / name).string(), bytes);
    write_file((fs::path(temporary) / "MANIFEST").string(), manifest.str());
    replace_folder(temporary, path, own_names(path, names_of(files)));
  } catch (...) {
    fs::remove_all(temporary, error);
    throw;
  }
  sync_folder(parent);
}

bool remove_folder(const std::string& path, const std::vector<std::string>& usual) {
  OwnNames own = own_names(path, usual);
  if (own.erase("MANIFEST") == 0) {
    remove_if_empty(path);
  } else {  // MANIFEST last: a folder that is only partly removed is then refused as incomplete
    remove_own_files(path, own);
    remove_own_files(path, {"MANIFEST"});
  }
  std::error_code ignored;
  return !fs::exists(fs::symlink_status(path, ignored));
}

std::vector<NamedBytes> read_folder(const std::string& path, const std::set<std::string>& wanted) {
  return read_undisturbed(path, [&] {
    std::vector<NamedBytes> files;
    visit_folder(path, wanted, [&](const std::string& file, const ManifestEntry& entry) {
      files.emplace_back(entry.name, read_checked(file, entry));
    });
    return files;
  });
}

std::vector<ListedFile> read_changed_folder(const std::string& path) {
  return read_undisturbed(path, [&] {
    std::vector<ListedFile> files;
    visit_entries(path, [&](const std::string& file, const ManifestEntry& entry) {
      ListedFile listed{entry.name, read_model_file(file), entry.size};
      listed.changed = listed.bytes.size() != entry.size || crc32(listed.bytes) != entry.checksum;
      files.push_back(std::move(listed));
    });
    return files;
  });
}

std::vector<FolderFile> map_folder(const std::string& path, const std::set<std::string>& wanted,
                                   const std::set<std::string>& mapped) {
  return read_undisturbed(path, [&] {
    std::vector<FolderFile> files;
    visit_folder(path, wanted, [&](const std::string& file, const ManifestEntry& entry) {
      const bool maps = mapped.contains(entry.name);
      files.push_back({entry.name, maps ? std::string() : read_checked(file, entry),
                       maps ? map_checked(file, entry) : SharedBytes()});
    });
    return files;
  });
}

std::vector<std::string> verify_folder(const std::string& path) {
  return read_undisturbed(path, [&] {
    std::vector<std::string> names;
    visit_folder(path, {}, [&](const std::string& file, const ManifestEntry& entry) {
      map_checked(file, entry);
      names.push_back(entry.name);
    });
    return names;
  });
}

void remove_leftovers(const std::string& parent, const std::function<bool(const std::string& name)>& is_ours) {
  remove_unfinished(parent, is_ours);
  std::error_code error;
  std::vector<fs::path> old;
  for (const auto& entry : fs::directory_iterator(parent, error)) {
    const std::string name = entry.path().filename().string();
    const bool older = name.starts_with(kOldPrefix) && is_ours(name.substr(std::strlen(kOldPrefix)));
    if (older && fs::exists(entry.path() / "MANIFEST", error)) old.push_back(entry.path());
  }
  for (const fs::path& folder : old) {
    const fs::path place = fs::path(parent) / folder.filename().string().substr(std::strlen(kOldPrefix));
    if (fs::exists(place, error)) {
      fs::remove_all(folder, error);
    } else {
      fs::rename(folder, place, error);
    }
  }
}

FolderLock::FolderLock(const std::string& folder) : folder_(folder) {
  const std::string path = (fs::path(folder) / ".lock").string();
  descriptor_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail<WriteError>(path, ": cannot be written: ", reason());
  if (flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
  const int error = errno;
  close(descriptor_);
  if (error != EWOULDBLOCK) fail<WriteError>(path, ": cannot be locked: ", std::strerror(error));
  fail<ConfigError>(folder, ": another ventris-train is using this folder; wait for it or choose another --model");
}

void FolderLock::check_in_place() const {
  struct stat held{}, there{};
  const std::string path = (fs::path(folder_) / ".lock").string();
  const bool same = fstat(descriptor_, &held) == 0 && stat(path.c_str(), &there) == 0 && held.st_dev == there.st_dev &&
                    held.st_ino == there.st_ino;
  if (!same) {
    fail<WriteError>(folder_,
                     ": was moved, removed or replaced during the run (its .lock is a different file); "
                     "nothing more is written there");
  }
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

}  // namespace ventris::files
