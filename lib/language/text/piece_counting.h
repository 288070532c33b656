#pragma once
#include <string>

#include "text/tokenizer.h"

namespace ventris::text {

/// A tokenizer of kPieces: the most frequent words between spaces become its pieces, those that are equally frequent in
/// the order in which they come. It takes a text as it is; other words are unknown. Words with U+2581, or that are too
/// long for a piece, become no pieces. Throws as learn_tokenizer(), and DataError for a text whose words are pieces of
/// SentencePiece.
std::string count_pieces(const LineSource& lines, const TokenizerTraining& training);

}  // namespace ventris::text
