#include "evaluation/test_sets.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "core/error.h"
#include "core/suggest.h"
#include "files/paths.h"

namespace ventris::evaluation {
namespace {

namespace fs = std::filesystem;

constexpr const char* kReference = "ref";

void check(const TestSetChoice& choice) {
  if (choice.folder.empty()) {
    fail<ConfigError>(
        "--test-set: the folder of the test sets is missing; give --test-sets FOLDER, or set VENTRIS_TEST_SETS");
  }
  if (choice.name.empty() || choice.name.find("..") != std::string::npos || choice.name.starts_with('/')) {
    fail<ConfigError>("--test-set: expected a name like wmt22, got '", choice.name, "'");
  }
  const size_t dash = choice.languages.find('-');
  if (dash == 0 || dash == std::string::npos || dash + 1 == choice.languages.size() ||
      choice.languages.find('/') != std::string::npos) {
    fail<ConfigError>("--language-pair: expected source and target like en-de, got '", choice.languages, "'");
  }
}

/// The names of all files in the folder that begin with `start`, sorted, or of all entries.
std::vector<std::string> names_in(const std::string& folder, const std::string& start = "") {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with(start)) names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

/// The file, plain or packed; empty = there is none.
std::string existing(const std::string& path) {
  std::error_code ignored;
  for (const char* suffix : {"", ".gz"}) {
    if (fs::is_regular_file(path + suffix, ignored)) return path + suffix;
  }
  return "";
}

/// "refA" of "wmt22.en-de.ref-refA.gz", behind `start`.
std::string reference_name(std::string name, const std::string& start) {
  if (name.ends_with(".gz")) name.resize(name.size() - 3);
  return name.substr(start.size());
}

/// The names of the references of which there are several.
std::vector<std::string> named_references(const std::string& folder, const std::string& start) {
  std::vector<std::string> names;
  for (const std::string& name : names_in(folder, start)) names.push_back(reference_name(name, start));
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());  // one that is there plain and packed
  return names;
}

std::string listed(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

std::string required(const std::string& path) {
  std::string found = existing(path);
  if (found.empty()) fail<DataError>(path, ": there is no such file, plain or .gz; nothing is downloaded");
  return found;
}

}  // namespace

TestSet find_test_set(const TestSetChoice& choice) {
  check(choice);
  const std::string folder = choice.folder + "/" + choice.name;
  if (const std::string problem = files::access_problem(folder); !problem.empty()) {
    fail<DataError>(folder, ": cannot be read: ", problem);
  }
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    fail<DataError>(folder, ": there is no such folder, so there is no test set '", choice.name, "'",
                    core::did_you_mean(choice.name, names_in(choice.folder)));
  }
  std::string file = choice.name + "." + choice.languages + ".";
  std::ranges::replace(file, '/', '_');
  const std::string start = folder + "/" + file;
  TestSet set{existing(start + "src"), {}};
  std::vector<std::string> references = choice.references;
  if (references.empty() && !existing(start + kReference).empty()) {
    set.references = {existing(start + kReference)};
    return set;
  }
  const std::vector<std::string> all = named_references(folder, file + kReference + "-");
  if (references.empty() && all.size() > 1) {
    fail<ConfigError>("--reference: ", folder, " has several references of ", choice.languages, "; choose from ",
                      listed(all));
  }
  if (references.empty()) references = all;
  for (const std::string& name : references) set.references.push_back(required(start + kReference + "-" + name));
  if (set.references.empty()) set.references = {required(start + kReference)};
  return set;
}

}  // namespace ventris::evaluation
