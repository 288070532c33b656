#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "text/tokenizer.h"

namespace ventris::text {

/// The piece that stands for a whole word such as "<sep>": the word itself, or, in a tokenizer of words
/// (TokenizerKind::kPieces), the word behind U+2581.
inline std::string piece_of_word(const Tokenizer& tokenizer, std::string_view word) {
  return (tokenizer.kind() == TokenizerKind::kPieces ? "\u2581" : "") + std::string(word);
}

/// Its id; a word that is a piece as it is written counts, too. -1 = there is none.
inline int32_t id_of_word(const Tokenizer& tokenizer, std::string_view word) {
  const int32_t id = tokenizer.id_of(word);
  return id >= 0 ? id : tokenizer.id_of(piece_of_word(tokenizer, word));
}

}  // namespace ventris::text
