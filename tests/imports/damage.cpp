#include "imports/damage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "core/error.h"
#include "exports/stored_zip.h"
#include "files/files.h"
#include "model/zip_archive.h"
#include "support/random_numbers.h"
#include "support/temp_folder.h"

namespace ventris::imports {
namespace {

namespace fs = std::filesystem;

uint32_t number_in(const char* variable, uint32_t missing) {
  const char* given = std::getenv(variable);
  return given == nullptr ? missing : static_cast<uint32_t>(std::strtoul(given, nullptr, 10));
}

/// Changes, removes, repeats or inserts a few bytes, or cuts the end off.
void damage(std::string& bytes, test::RandomNumbers& random) {
  const auto size = static_cast<int64_t>(bytes.size());
  const auto at = static_cast<size_t>(random.between(0, size - 1));
  const auto count = static_cast<size_t>(random.between(1, random.coin() ? 4 : 200));
  switch (random.between(0, 4)) {
    case 0: bytes.resize(at); return;
    case 1: bytes.erase(at, count); return;
    case 2: bytes.insert(at, bytes.substr(at, count)); return;
    case 3: bytes.insert(at, std::string(count, static_cast<char>(random.between(0, 255)))); return;
    default:
      for (size_t i = at; i < std::min(bytes.size(), at + count); ++i)
        bytes[i] = static_cast<char>(random.between(0, 255));
  }
}

std::map<std::string, std::string> files_in(const std::string& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    if (name != "expected.json") files[name] = files::read_file(entry.path());
  }
  return files;
}

bool is_refused(const std::string& folder, const std::function<void(const std::string& folder)>& import) {
  try {
    import(folder);
    return false;
  } catch (const ModelError& error) {
    EXPECT_FALSE(std::string(error.what()).empty());
  } catch (const ConfigError& error) {
    EXPECT_FALSE(std::string(error.what()).empty());
  }
  return true;
}

}  // namespace

void check_damaged_folders(const std::string& original, const std::function<void(const std::string& folder)>& import,
                           uint32_t mutants) {
  const std::map<std::string, std::string> files = files_in(original);
  const test::TempFolder folder;
  for (const auto& [name, bytes] : files) folder.file(name, bytes);
  const uint32_t first = number_in("VENTRIS_FIRST_MUTANT", 0), count = number_in("VENTRIS_MUTANTS", mutants);
  uint32_t refused = 0;
  for (uint32_t mutant = first; mutant < first + count; ++mutant) {
    SCOPED_TRACE(mutant);
    test::RandomNumbers random(mutant);
    auto file = files.begin();
    std::advance(file, random.between(0, static_cast<int64_t>(files.size()) - 1));
    std::string bytes = file->second;
    for (int64_t i = random.between(1, 3); i > 0 && !bytes.empty(); --i) damage(bytes, random);
    folder.file(file->first, bytes);
    if (is_refused(folder.path(), import)) ++refused;
    folder.file(file->first, file->second);
  }
  EXPECT_GT(refused, count / 4);
}

void check_damaged_pickles(const std::string& original, const std::function<void(const std::string& folder)>& import,
                           uint32_t mutants) {
  const std::map<std::string, std::string> files = files_in(original);
  const test::TempFolder folder;
  for (const auto& [name, bytes] : files) folder.file(name, bytes);
  const auto is_checkpoint = [](const auto& file) {
    return file.first.ends_with(".pt") || file.first.ends_with(".ckpt");
  };
  const std::string path = folder.path(std::ranges::find_if(files, is_checkpoint)->first);
  const auto entries = model::ZipArchive::open(path, path, model::ZipArchive::all).entries;
  const uint32_t first = number_in("VENTRIS_FIRST_MUTANT", 0), count = number_in("VENTRIS_MUTANTS", mutants);
  for (uint32_t mutant = first; mutant < first + count; ++mutant) {
    SCOPED_TRACE(mutant);
    test::RandomNumbers random(mutant);
    exports::StoredZip zip;
    for (const auto& [name, bytes] : entries) {
      std::string changed = bytes;
      if (name == "data.pkl") damage(changed, random);
      zip.add("model/" + name, changed);
    }
    files::write_file(path, std::move(zip).finish());
    is_refused(folder.path(), import);
  }
}

}  // namespace ventris::imports
