#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/json_reader.h"
#include "core/setting_description.h"
#include "documents/document_translator.h"
#include "filters/model_choice.h"
#include "filters/output.h"
#include "model/package.h"
#include "translation/open_scorers.h"
#include "translation/translator.h"

namespace ventris::filters {

enum class InputFormat {
  kText,  ///< one sentence per line
  kJsonl  ///< one JSON object per line, with the sentence under "text"
};

/// The names of these in settings.
const core::Choices<InputFormat>& input_formats();
const core::Choices<OutputFormat>& output_formats();
const core::Choices<translation::Utility>& utilities();

/// The settings of `ventris-translate`. Their keys in settings files are the names of the flags with underscores.
/// beam_size, normalize and max_length_factor have the defaults of the bundle.
struct TranslateSettings {
  ModelChoice model;
  std::string input = "-";
  std::string output = "-";
  bool resume = false;              ///< go on with what an interrupted run left of `output` (ResumableOutput)
  std::string shard;  ///< the part of `input` that is translated, as parse_shard() reads it; "" = all
  std::string force_prefix;         ///< file with one prefix per translation, one per line; "" = none
  bool constraints = false;  ///< whether JSON lines have phrases that must and must not be in their translations
  std::string terms;  ///< file of terms and their translations (phrases::TermList); "" = none
  InputFormat input_format = InputFormat::kText;
  OutputOptions written;  ///< default format: JSON if the input is JSON, Moses if n_best is over 1
  bool strict = false;  ///< refuse invalid UTF-8 instead of replacing it; other text that is lost is an error, too
  bool allow_unk = false;
  std::string device = "cpu";
  translation::Backend backend = translation::Backend::kAuto;
  translation::Precision precision = translation::Precision::kAuto;
  translation::ShortlistSettings shortlist;
  translation::TranslatorOptions translator;
  documents::DocumentOptions document;
  std::string named_markup;  ///< the markup that the ending of `input` chose, "html"; "" = none; no setting of its own

  bool markup_given = false;  ///< whether the settings have `markup`; no setting of its own

  /// How the input is read and how to read it as text, if its ending chose a markup; otherwise "": "page.html is read
  /// as html, because of its ending; --markup none reads each line as a text".
  std::string markup_note() const;

  /// Missing values come from `defaults`. Throws ConfigError for an unknown key, a wrong type or an invalid value.
  static TranslateSettings parse(const nlohmann::json& source, const model::DecodingDefaults& defaults);
  nlohmann::json to_json() const;

  /// Every setting, for docs/settings.md.
  static std::vector<core::SettingsSection> describe();
};

}  // namespace ventris::filters
