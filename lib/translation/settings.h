#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "model/package.h"
#include "translation/translator.h"

namespace ventris::translation {

enum class OutputFormat {
  kText,  ///< the best translation, a line each
  kMoses  ///< every candidate: ID ||| text ||| F0= <summed log-probability> ||| <normalised score>
};

/// What `ventris-translate` does; the keys of its settings files are its flags' names with underscores. A value left
/// open (beam_size, normalize, max_length_factor) is the bundle's own.
struct TranslateSettings {
  std::string model;
  std::string input = "-";
  std::string output = "-";
  std::string force_prefix;         ///< file with the beginning of each translation, a line each; "" = none
  OutputFormat format = OutputFormat::kText;
  bool strict = false;              ///< refuse invalid UTF-8 instead of replacing it
  bool allow_unk = false;
  std::string device = "cpu";
  TranslatorOptions translator;

  /// `defaults` supply what is left open. Throws ConfigError: unknown key, wrong type, senseless value.
  static TranslateSettings parse(const nlohmann::json& json, const model::DecodingDefaults& defaults);
  nlohmann::json to_json() const;
};

/// A translation as text with its line ends. `number` counts lines from 0.
std::string format_translation(const Translation& translation, OutputFormat format, int64_t number);

}  // namespace ventris::translation
