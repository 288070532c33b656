#pragma once
#include <string>

#include "core/fields.h"
#include "translation/translator.h"

namespace ventris::filters {

/// What becomes of the terms of a line.
inline const core::Choices<translation::TermUse>& term_uses() {
  static const core::Choices<translation::TermUse> kUses{{"require", translation::TermUse::kRequire},
                                                         {"suggest", translation::TermUse::kSuggest}};
  return kUses;
}

/// The settings `terms` and `term_use` of a program.
template <typename V>
void term_fields(V& visit, std::string& terms, translation::TermUse& use) {
  visit(
      {"terms",
       "File with a term and its translation on each line, separated by a TAB. Where a sentence has a term, its "
       "translation is required or suggested (`term_use`). Further columns are other forms of the translation: one is "
       "enough. Empty: none."},
      terms);
  visit(
      {"term_use",
       "`require`: the translation has the translations of the terms, as they are written. `suggest`: the model reads "
       "them in its source, and may inflect them or leave them out; only for models that were trained with the "
       "[modifier `terms`](training.md#changing-the-training-text)."},
      use, term_uses());
}

}  // namespace ventris::filters
