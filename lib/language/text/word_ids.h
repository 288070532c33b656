#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "text/tokenizer.h"

namespace ventris::text {

/// The id of the piece that stands for a whole word such as "<sep>": the word itself, or, in a tokenizer of words
/// (TokenizerKind::kPieces), the word behind U+2581. -1 = there is none.
inline int32_t id_of_word(const Tokenizer& tokenizer, std::string_view word) {
  const int32_t id = tokenizer.id_of(word);
  return id >= 0 || tokenizer.kind() != TokenizerKind::kPieces ? id : tokenizer.id_of("\u2581" + std::string(word));
}

}  // namespace ventris::text
