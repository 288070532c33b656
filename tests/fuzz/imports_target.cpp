#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "exports/stored_zip.h"
#include "fuzz/targets.h"
#include "fuzz/zip_checksums.h"
#include "imports/import_model.h"
#include "imports/imported.h"
#include "imports/marian_vocabulary.h"
#include "imports/yaml_file.h"
#include "model/zip_archive.h"

/// Models of other programs, in which one file is replaced. The first line of an input names the model and the file,
/// and perhaps what is replaced in the zip file that it is: "fairseq_post model.pt data.pkl".
namespace ventris::fuzz {
namespace {

namespace fs = std::filesystem;

const std::string kModels = VENTRIS_SOURCE "/tests/imports/data/";
constexpr size_t kLargestSeed = 40'000;

/// What is imported of a folder of tests/imports/data: as ImportOptions, with names in the folder.
struct Model {
  std::string file = {}, tokenizer = {};
  std::vector<std::string> vocabularies = {};
};

const std::map<std::string, Model>& models() {
  static const std::map<std::string, Model> kAll{{"ctranslate2_shared", {}},
                                                 {"ctranslate2_letters", {}},
                                                 {"ctranslate2_rms", {}},
                                                 {"eole_rotary", {}},
                                                 {"fairseq_post", {"model.pt", "", {"dict.en.txt", "dict.de.txt"}}},
                                                 {"joeynmt_pre", {}},
                                                 {"joeynmt_post", {}},
                                                 {"m2m100", {}},
                                                 {"marian", {"ssru_int8.bin", "both.spm"}},
                                                 {"marian_separate", {}},
                                                 {"marian_shared", {}},
                                                 {"mbart50", {}},
                                                 {"nllb", {}},
                                                 {"opennmt_words", {"model.pt"}},
                                                 {"t5_small", {}}};
  return kAll;
}

/// A copy of the model, in which a file is replaced for as long as this object lives.
class ChangedModel {
 public:
  explicit ChangedModel(const std::string& name) {
    for (const auto& entry : fs::directory_iterator(kModels + name)) {
      if (entry.path().filename() != "expected.json")
        files_[entry.path().filename()] = without_checksums(test::file_bytes(entry.path()));
    }
    for (const auto& [file, bytes] : files_) folder_.file(file, bytes);
  }
  bool has(const std::string& file) const { return files_.contains(file); }
  void replace(const std::string& file, std::string_view bytes) const { folder_.file(file, std::string(bytes)); }
  void restore(const std::string& file) const { folder_.file(file, files_.at(file)); }
  const std::map<std::string, std::string>& files() const { return files_; }
  std::string path(const std::string& name = "") const { return folder_.path(name); }

 private:
  test::TempFolder folder_{test::memory_folder()};
  std::map<std::string, std::string> files_;
};

const ChangedModel& changed_model(const std::string& name) {
  static std::map<std::string, std::unique_ptr<ChangedModel>> all;
  auto& found = all[name];
  if (!found) found = std::make_unique<ChangedModel>(name);
  return *found;
}

std::map<std::string, std::string> entries_of(const std::string& zip) {
  return model::ZipArchive::open(zip, zip, model::ZipArchive::all).entries;
}

/// The zip file with another entry.
std::string with_entry(const std::string& zip, const std::string& name, std::string_view bytes) {
  exports::StoredZip changed;
  for (const auto& [entry, content] : entries_of(zip)) changed.add("archive/" + entry, entry == name ? bytes : content);
  return std::move(changed).finish();
}

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words(1);
  for (const char sign : line) {
    if (sign == ' ') {
      words.emplace_back();
    } else {
      words.back() += sign;
    }
  }
  return words;
}

void import_changed(std::string_view input) {
  const auto [line, bytes] = first_line_of(input);
  const auto words = words_of(line);
  if (words.size() < 2 || !models().contains(words[0])) return;
  const ChangedModel& model = changed_model(words[0]);
  if (!model.has(words[1])) return;
  if (words.size() > 2) {
    model.restore(words[1]);
    model.replace(words[1], with_entry(model.path(words[1]), words[2], bytes));
  } else {
    model.replace(words[1], bytes);
  }
  const Model& chosen = models().at(words[0]);
  imports::ImportOptions options{chosen.file.empty() ? model.path() : model.path(chosen.file)};
  if (!chosen.tokenizer.empty()) options.tokenizer = model.path(chosen.tokenizer);
  for (const std::string& file : chosen.vocabularies) options.vocabularies.push_back(model.path(file));
  try {
    require(!imports::import_model(options).weights.empty(), "a model has weights");
  } catch (const Error&) {
    model.restore(words[1]);
    throw;
  }
  model.restore(words[1]);
}

std::vector<std::string> imports_seeds() {
  std::vector<std::string> seeds;
  for (const auto& [name, model] : models()) {
    const ChangedModel& whole = changed_model(name);
    for (const auto& [file, bytes] : whole.files()) {
      const bool used = model.file.empty() || file == model.file || file == model.tokenizer ||
                        std::ranges::find(model.vocabularies, file) != model.vocabularies.end();
      if (!used) continue;
      if (file.ends_with(".pt") || file.ends_with(".ckpt")) {
        seeds.push_back(name + " " + file + " data.pkl\n" + entries_of(whole.path(file)).at("data.pkl"));
      } else if (bytes.size() < kLargestSeed) {
        seeds.push_back(name + " " + file + "\n" + bytes);
      }
    }
  }
  return seeds;
}

void read_yaml(std::string_view input) {
  const auto document = imports::parse_yaml(std::string(input), "config.yaml");
  static_cast<void>(document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

void read_marian_yml(std::string_view input) {
  require(imports::parse_marian_yml(std::string(input), 6, "vocab.yml").size() == 6, "each row has a text");
}

const Registration kImports("imports", import_changed, imports_seeds);
const Registration kYaml("yaml", read_yaml);
const Registration kMarianYml("marian_yml", read_marian_yml);

}  // namespace
}  // namespace ventris::fuzz
