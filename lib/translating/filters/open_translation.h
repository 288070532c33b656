#pragma once
#include <nlohmann/json_fwd.hpp>

#include "filters/settings.h"
#include "filters/translate_file.h"
#include "model/package.h"

namespace ventris::filters {

/// What translates, as the settings of `ventris-translate` ask for it.
struct OpenedTranslation {
  TranslateSettings settings;  ///< complete: with the model's own values
  model::Package package;      ///< settings and tokenizers of the (first) model, without the weights
  LoadScorers load;
};

/// Finds mistakes in the settings that show without the model. "model" may be missing. Throws ConfigError.
TranslateSettings check_settings(const nlohmann::json& source);

/// The options of a translation::Translator for these settings, with the list of terms. Throws DataError if that cannot
/// be read.
translation::TranslatorOptions options_of(const TranslateSettings& settings);

/// Checks the settings, and reads the model that they name. Throws ConfigError for wrong settings or if "model" is
/// missing, and ModelError for a model that cannot be opened.
OpenedTranslation open_translation(const nlohmann::json& source);

}  // namespace ventris::filters
