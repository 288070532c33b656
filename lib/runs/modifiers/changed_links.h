#pragma once
#include <span>

#include "modifiers/modifier.h"

namespace ventris::modifiers {

/// The links of a changed pair: those of the words that it still has. The emoji of kEmoji are linked to each other, and
/// with kCopy each word to itself; kTags and kTerms have made their own. `lines` are the pairs that the change took,
/// with their links. Empty if the words cannot be told apart any more, such as those of kMerge if two lines were joined
/// without a space inside a word.
text::Links changed_links(ModifierKind kind, std::span<const TextPair> lines, const TextPair& result,
                          metrics::Division division);

}  // namespace ventris::modifiers
