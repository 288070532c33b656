#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/json_reader.h"
#include "core/setting_description.h"
#include "data/corpus_reader.h"

namespace ventris::settings {

/// A validation corpus beside the one that decides which model is best.
struct FurtherCorpus {
  std::string name;  ///< in the log, the report and metrics.jsonl; not empty, and no two have the same
  data::CorpusFiles files;
  std::string source_language = {}, target_language = {};  ///< empty = those of DataConfig
};

/// Reads the list "further_valid". An entry without a name is called like its source file, without the endings of its
/// language and of gzip; if that name is taken, with "-2". Throws ConfigError with the setting, and for a name that is
/// given twice.
std::vector<FurtherCorpus> parse_further_corpora(core::JsonReader& reader, const std::string& key);
nlohmann::json to_json(const std::vector<FurtherCorpus>& corpora);

/// The settings of an entry, for docs/settings.md.
core::SettingsSection describe_further_corpus();

}  // namespace ventris::settings
