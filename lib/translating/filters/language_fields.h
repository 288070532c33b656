#pragma once
#include "core/fields.h"

namespace ventris::filters {

/// The settings `source_language` and `target_language` of a program.
template <typename V, typename Options>
void language_fields(V& visit, Options& options) {
  visit({"source_language",
         "Language of the sources, for a model that must be told. Empty: the only one of the model. See "
         "[Several languages](translating.md#several-languages)."},
        options.source_language);
  visit({"target_language", "The same for the language of the translations."}, options.target_language);
}

}  // namespace ventris::filters
