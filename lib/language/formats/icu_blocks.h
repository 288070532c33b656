#pragma once
#include "markup/markup.h"

namespace ventris::formats {

/// Makes a block of each form of those blocks that are a pattern of ICU (icu_forms()), as Angular has them in XLIFF,
/// with "#" as a placeholder, and in XLIFF of each form for several numbers (number_forms_of()), as Symfony has them.
/// Words around a pattern come into its forms (with_words_in_forms()) if the block has no tags and objects. For
/// documents in which the translation of a block stands in its place.
void divide_into_forms(markup::MarkedDocument& document, markup::Markup markup);

}  // namespace ventris::formats
