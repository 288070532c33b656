#pragma once
#include "modifiers/modifier.h"

namespace ventris::modifiers {

/// The pair with 1 to `most` placeholders (text::kPlaceholderWords), numbered in the order of the source, which is how
/// a translator numbers them. Each takes the place of a word that is linked to exactly one word, and of that word, or
/// stands before or after both. The result has the links of all words. Without such words, or if the pair has one of
/// the placeholders already, it is returned as it is.
TextPair with_tags(const TextPair& pair, size_t most, Draws& draws, metrics::Division division);

}  // namespace ventris::modifiers
