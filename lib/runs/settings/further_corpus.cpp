#include "settings/further_corpus.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "core/error.h"
#include "core/fields.h"
#include "settings/corpus_files.h"
#include "settings/entry_section.h"

namespace ventris::settings {
namespace {

template <typename V>
void fields(V& visit, FurtherCorpus& corpus) {
  visit({"name",
         "Name in the log, the report and `metrics.jsonl`. Without it: the name of the source file without the ending "
         "of its language, for example `news` for `news.en.gz`."},
        corpus.name);
  visit({"files", "The files of the corpus, as in `data.valid`."}, corpus.files);
  visit({"source_language", "Code of the language of its sources. Empty: `data.source_language`."},
        corpus.source_language);
  visit({"target_language", "The same for the language of its targets."}, corpus.target_language);
}

using Names = std::set<std::string>;

/// "news" for data/news.en.gz.
std::string name_of_file(const std::string& path) {
  std::filesystem::path name = std::filesystem::path(path).filename();
  if (name.extension() == ".gz") name = name.stem();
  return name.stem().string();
}

/// The name, or "NAME-2" and so on if it is taken.
std::string free_name(const Names& taken, const std::string& name) {
  std::string free = name;
  for (int number = 2; taken.contains(free); ++number) free = name + "-" + std::to_string(number);
  return free;
}

}  // namespace

std::vector<FurtherCorpus> parse_further_corpora(core::JsonReader& reader, const std::string& key) {
  std::vector<FurtherCorpus> corpora;
  Names names;
  for (core::JsonReader& entry : reader.sections(key)) {
    FurtherCorpus& corpus = corpora.emplace_back();
    core::FieldReader visit(entry);
    fields(visit, corpus);
    entry.finish();
    if (corpus.files.source.empty()) {
      fail<ConfigError>(entry.path_of("files"), ": expected [source, target] or [file], got nothing");
    }
    if (!corpus.name.empty() && !names.insert(corpus.name).second) {
      fail<ConfigError>(entry.path_of("name"), ": two validation corpora are called '", corpus.name,
                        "'; give them different names");
    }
  }
  for (FurtherCorpus& corpus : corpora) {  // after all names that are given
    if (corpus.name.empty()) corpus.name = free_name(names, name_of_file(corpus.files.source));
    names.insert(corpus.name);
  }
  return corpora;
}

nlohmann::json to_json(const std::vector<FurtherCorpus>& corpora) {
  auto list = nlohmann::json::array();
  for (FurtherCorpus corpus : corpora) {
    core::FieldWriter visit;
    fields(visit, corpus);
    for (const char* key : {"source_language", "target_language"}) {
      if (visit.out.at(key).get_ref<const std::string&>().empty()) visit.out.erase(key);
    }
    list.push_back(visit.out);
  }
  return list;
}

core::SettingsSection describe_further_corpus() {
  core::FieldList list("data.further_valid[]", "Each object of the list `data.further_valid`.");
  FurtherCorpus corpus;
  fields(list, corpus);
  return entry_section(list);
}

}  // namespace ventris::settings
