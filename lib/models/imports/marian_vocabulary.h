#pragma once
#include <string>
#include <vector>

#include "imports/vocabulary.h"
#include "model/package.h"

namespace ventris::imports {

/// The files with the tokens of a model of Marian, which has none itself.
struct MarianVocabularyFiles {
  std::vector<std::string> tokenizers;    ///< SentencePiece models of source and target, or one of both
  std::vector<std::string> vocabularies;  ///< lists of tokens (.yml) of source and target, or one of both; if empty,
                                          ///< the ids of the SentencePiece models are the rows
};

/// Reads the vocabularies and makes the two SentencePiece models of `package`. `sides` has the numbers of rows. Adds to
/// `notes` what was assumed. Throws ConfigError if files are missing, and ModelError for files that are damaged or do
/// not fit the rows.
void read_marian_vocabularies(const MarianVocabularyFiles& files, Sides& sides, model::Package& package,
                              std::vector<std::string>& notes);

/// The tokens of a .yml file of Marian, lines "TOKEN: ROW", by row. A row without a token has an empty text. Throws
/// ModelError with the line.
std::vector<std::string> parse_marian_yml(const std::string& yaml, int64_t rows, const std::string& where);

}  // namespace ventris::imports
