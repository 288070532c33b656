#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "architecture/architecture.h"
#include "core/json_reader.h"
#include "core/setting_description.h"
#include "data/corpus_reader.h"
#include "data/pair_context.h"
#include "settings/further_corpus.h"
#include "settings/modifier_list.h"

namespace ventris::settings {

/// One of several training corpora.
struct CorpusConfig {
  data::CorpusSpec spec;
  double weight = 0;  ///< share of an epoch, relative to the other corpora, over 0; 0 = not given
};

/// The corpora. A corpus is two files (source, target), one file with two TAB-separated columns, or, for families that
/// learn from running text or from labelled text, one file of it; plain or .gz.
struct DataConfig {
  data::CorpusFiles train;            ///< a single corpus; a TSV file "-" is standard input, kept in the run folder
  std::string train_links;  ///< file with the links of `train` or the only entry of `corpora`; a setting elsewhere
  std::vector<CorpusConfig> corpora;  ///< several; either this or `train`
  double temperature = 1;  ///< without weights, the share of a corpus of n pairs is proportional to n^(1 / temperature)
  std::string cache;  ///< folder for the tokenized corpus if it is larger than memory; empty = in memory
  data::CorpusFiles valid;  ///< decides which model is best, and early stopping; empty = no validation
  std::vector<FurtherCorpus> further_valid;  ///< measured at each validation, too, but decide nothing
  std::string source_language, target_language;  ///< of all corpora that name none; empty = their text tells them
  data::CorpusFilter filter;  ///< for the training corpus; the validation loss leaves out only pairs with an empty
                              ///< side and pairs that are too long for the model

  std::vector<modifiers::Modifier> modifiers;  ///< changes of the text of `train` or `corpora`
  data::ContextOptions context;  ///< earlier sentences in front of the pairs of `train` or `corpora`

  bool has(modifiers::ModifierKind kind) const;  ///< whether one of them is of this kind
  bool needs_links() const;  ///< whether one of them is of a kind that needs links between words
  std::vector<data::CorpusSpec> training() const;  ///< `train` or `corpora`; empty if neither is given
  /// The languages that settings name, each with its setting; without those that a tag tells.
  std::vector<std::pair<std::string, std::string>> named_languages() const;
};

/// Reads one entry of "corpora". Throws ConfigError with the setting.
CorpusConfig parse_corpus(core::JsonReader& reader);
nlohmann::json to_json(const CorpusConfig& corpus);

/// The settings of an entry, for docs/settings.md.
core::SettingsSection describe_corpus();

/// Marks the files of corpora that are running text or labelled text, which depends on what `model` learns from. Throws
/// ConfigError if the corpora are of the other kind.
void set_corpus_kind(DataConfig& data, const architecture::Architecture& model);

/// Throws ConfigError for settings that contradict each other.
void check(const DataConfig& data);

}  // namespace ventris::settings
