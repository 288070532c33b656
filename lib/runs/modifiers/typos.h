#pragma once
#include <string>
#include <string_view>

#include "modifiers/draws.h"

namespace ventris::modifiers {

/// The text with typing errors. Each word of two letters or more gets one with probability `words`; if none was drawn,
/// one word gets it. An error is a swap of two neighbouring letters, a dropped letter, a doubled letter, or the letter
/// of a neighbouring key on a QWERTY or QWERTZ keyboard. A letter is a grapheme cluster, so marks stay with their
/// letters; a word is a sequence of letters, so digits and punctuation never change. A text without such words is
/// returned as it is. `text` is valid UTF-8.
std::string with_typos(std::string_view text, double words, Draws& draws);

}  // namespace ventris::modifiers
