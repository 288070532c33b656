#pragma once
#include "filters/recase_field.h"
#include "filters/term_fields.h"
#include "support/choices.h"
#include "support/settings.h"

namespace ventris::apps {

/// The flags of terms.
inline void add_term_flags(Settings& settings, const char* group) {
  settings
      .flag<std::string>(
          "--terms", "/terms",
          "File of terms: term, TAB, and the translation to use where it occurs; further columns are its other "
          "forms",
          group)
      ->type_name("FILE");
  settings
      .flag<std::string>("--term-use", "/term_use",
                         "Terms: require them as they are written, or suggest them to a model that has learnt to "
                         "use them",
                         group)
      ->check(offers(core::names_of(filters::term_uses())));
}

/// The flag `--recase`.
inline void add_recase_flag(Settings& settings, const char* group) {
  settings
      .flag<std::string>("--recase", "/recase",
                         "Lines that the model gets as ordinary sentences: those in capitals, also titles, or none",
                         group)
      ->check(offers(core::names_of(filters::recases())));
}

}  // namespace ventris::apps
