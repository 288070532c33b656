#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/json_reader.h"
#include "core/setting_description.h"
#include "data/corpus_reader.h"

namespace ventris::run {

/// One of several training corpora.
struct CorpusConfig {
  data::CorpusSpec spec;
  double weight = 0;  ///< share of an epoch, relative to the others', over 0; 0 = none given
};

/// What is read. A corpus is two files (source, target) or one of two TAB-separated columns; .gz by suffix.
struct DataConfig {
  data::CorpusFiles train;            ///< one corpus alone; a TSV file "-" is standard input, kept in the run folder
  std::vector<CorpusConfig> corpora;  ///< several; either this or `train`
  double temperature = 1;  ///< without weights, a corpus of n pairs has a share of an epoch like n^(1 / temperature)
  std::string cache;  ///< folder to keep the tokenised corpus in, for those larger than memory; empty = in memory
  data::CorpusFiles valid;  ///< empty = no validation
  data::CorpusFilter filter;  ///< of the training corpus; of the validation corpus only pairs with an empty side and
                              ///< those too long for the model are left out of the loss

  std::vector<data::CorpusSpec> training() const;  ///< `train` or `corpora`; none if neither is given
};

/// One entry of "corpora". Throws ConfigError naming the setting.
CorpusConfig parse_corpus(core::JsonReader& reader);
nlohmann::json to_json(const CorpusConfig& corpus);

/// The settings of an entry, for docs/settings.md.
core::SettingsSection describe_corpus();

/// Throws ConfigError for settings that contradict each other.
void check(const DataConfig& data);

}  // namespace ventris::run
