#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/setting_description.h"
#include "model/package.h"
#include "filters/output.h"
#include "translation/translator.h"

namespace ventris::filters {

enum class InputFormat {
  kText,  ///< a sentence a line
  kJsonl  ///< a JSON object a line, the sentence under "text"
};

/// What `ventris-translate` does; the keys of its settings files are its flags' names with underscores. A value left
/// open (beam_size, normalize, max_length_factor) is the bundle's own.
struct TranslateSettings {
  std::string model;
  std::string input = "-";
  std::string output = "-";
  std::string force_prefix;         ///< file with the beginning of each translation, a line each; "" = none
  InputFormat input_format = InputFormat::kText;
  OutputOptions written;            ///< its format is JSON if the input's is, Moses' if there are n best; or as told
  bool strict = false;              ///< refuse invalid UTF-8 instead of replacing it
  bool allow_unk = false;
  std::string device = "cpu";
  translation::TranslatorOptions translator;

  /// `defaults` supply what is left open. Throws ConfigError: unknown key, wrong type, senseless value.
  static TranslateSettings parse(const nlohmann::json& json, const model::DecodingDefaults& defaults);
  nlohmann::json to_json() const;

  /// Every setting, for docs/settings.md.
  static std::vector<core::SettingsSection> describe();
};

}  // namespace ventris::filters
