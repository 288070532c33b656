#pragma once
#include "core/fields.h"
#include "documents/recasing.h"

namespace ventris::filters {

/// The names of these in settings.
inline const core::Choices<documents::Recase>& recases() {
  using documents::Recase;
  static const core::Choices<Recase> kRecases{
      {"none", Recase::kNone}, {"capitals", Recase::kCapitals}, {"titles", Recase::kTitles}};
  return kRecases;
}

/// The setting `recase` of a program.
template <typename V>
void recase_field(V& visit, documents::Recase& recase) {
  visit({"recase",
         "Which lines the model gets as [ordinary sentences](documents.md#capitals). `capitals`: lines in capitals; "
         "their translations are in capitals, too. `titles`: also lines in Title Case; their translations are as the "
         "model writes them. `none`: none."},
        recase, recases());
}

}  // namespace ventris::filters
