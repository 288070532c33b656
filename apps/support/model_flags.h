#pragma once
#include <string>
#include <vector>

#include "filters/model_fields.h"
#include "support/choices.h"
#include "support/settings.h"

namespace ventris::apps {

/// The flags of one model or of an ensemble.
inline void add_model_flags(Settings& settings, const char* group) {
  settings
      .flag<std::vector<std::string>>("-m,--model", "/model",
                                      "Bundle folder, or packed model or TorchScript file of ventris-export "
                                      "(repeatable; several models form an ensemble)",
                                      group)
      ->allow_extra_args(false)
      ->type_name("MODEL");
  settings
      .flag<std::vector<double>>("--weights", "/weights", "Weights of the models of an ensemble; default: equal", group)
      ->allow_extra_args(false)
      ->delimiter(',')
      ->option_text("W1,W2,...");
  settings
      .flag<std::string>("--combine", "/combine",
                         "Mean of the models of an ensemble: of their probabilities (probs) or log-probs", group)
      ->check(offers(core::names_of(filters::combinations())));
}

/// The flags of the languages of a multilingual model.
inline void add_language_flags(Settings& settings, const char* group) {
  settings
      .flag<std::string>("--source-language", "/source_language",
                         "Language of the sources, for a multilingual model that must be told", group)
      ->type_name("CODE");
  settings
      .flag<std::string>("--target-language", "/target_language",
                         "Language of the translations, for a multilingual model", group)
      ->type_name("CODE");
}

}  // namespace ventris::apps
