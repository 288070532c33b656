#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/json_reader.h"
#include "core/setting_description.h"
#include "filters/model_choice.h"
#include "filters/moses.h"
#include "translation/open_scorers.h"
#include "translation/text_scorer.h"

namespace ventris::filters {

enum class ScoreFormat {
  kText,  ///< one score per line; with word scores: SCORE ||| WordScores= ...
  kJsonl  ///< one JSON object per line
};

/// The names of formats in settings.
const core::Choices<ScoreFormat>& score_formats();

/// The settings of `ventris-score`. Their keys in settings files are the names of the flags with underscores.
struct ScoreSettings {
  ModelChoice model;
  std::string source;        ///< "" = TAB-separated pairs from `tsv`
  std::string target;        ///< "" with an n-best list
  std::string tsv = "-";
  std::string n_best;        ///< file in the Moses format whose texts are the targets; "" = none
  std::string output = "-";
  std::string feature = "Score";  ///< name of the feature that is added to an n-best list
  std::string feature_weights;    ///< weights of features of the list, for totals (parse_features); "" = no totals
  Features weights;               ///< the same as numbers, which parse() reads; empty = no totals
  bool sort = false;              ///< sort the translations of each sentence by total, or else by score
  bool summary = false;           ///< write one summary instead of one line per pair
  bool word_scores = false;
  bool strict = false;  ///< refuse invalid UTF-8 instead of replacing it; other text that is lost is an error, too
  ScoreFormat format = ScoreFormat::kText;
  std::string device = "cpu";
  translation::Backend backend = translation::Backend::kAuto;
  translation::Precision precision = translation::Precision::kAuto;
  translation::TextScorerOptions scorer;

  /// Throws ConfigError for an unknown key, a wrong type, an invalid value, or settings that exclude each other.
  static ScoreSettings parse(const nlohmann::json& source);
  nlohmann::json to_json() const;

  /// Every setting, for docs/settings.md.
  static std::vector<core::SettingsSection> describe();
};

}  // namespace ventris::filters
