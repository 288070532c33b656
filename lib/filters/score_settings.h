#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/setting_description.h"
#include "translation/text_scorer.h"

namespace ventris::filters {

enum class ScoreFormat {
  kText,  ///< the score, a line each; with word scores: SCORE ||| WordScores= ...
  kJsonl  ///< a JSON object a line
};

/// What `ventris-score` does; the keys of its settings files are its flags' names with underscores.
struct ScoreSettings {
  std::string model;
  std::string source;        ///< "" = TAB-separated pairs from `tsv`
  std::string target;        ///< "" with an n-best list
  std::string tsv = "-";
  std::string n_best;        ///< file in the Moses format whose texts are the targets; "" = none
  std::string output = "-";
  std::string feature = "Score";  ///< name of what is added to an n-best list
  bool sort = false;              ///< put each sentence's translations in the order of their scores
  bool summary = false;           ///< instead of a line a pair, one account of all
  bool word_scores = false;
  bool strict = false;  ///< refuse invalid UTF-8 instead of replacing it
  ScoreFormat format = ScoreFormat::kText;
  std::string device = "cpu";
  translation::TextScorerOptions scorer;

  /// Throws ConfigError: unknown key, wrong type, senseless value, settings that do not go together.
  static ScoreSettings parse(const nlohmann::json& json);
  nlohmann::json to_json() const;

  /// Every setting, for docs/settings.md.
  static std::vector<core::SettingsSection> describe();
};

}  // namespace ventris::filters
