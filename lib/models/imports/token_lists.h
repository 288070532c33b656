#pragma once
#include <string>
#include <vector>

#include "imports/tensor_source.h"
#include "imports/vocabulary.h"
#include "model/package.h"

/// The vocabularies of toolkits: lists of tokens, which are pieces of SentencePiece, or what another program divides a
/// text into.
namespace ventris::imports {

/// The files of a model of a toolkit that are not in its checkpoint; each may be empty, one of both sides, or one for
/// the source and one for the target.
struct ToolkitFiles {
  std::vector<std::string> tokenizers;    ///< SentencePiece models
  std::vector<std::string> vocabularies;  ///< lists of tokens; empty = those next to the checkpoint
};

/// The tokens of a side, and their name in messages.
struct TokenList {
  Vocabulary tokens;
  std::string where;
};

/// The number of a token. Throws ModelError if it is not there; `what` says what it is: "end of a sentence".
int64_t row_of_token(const std::vector<std::string>& texts, const std::string& token, const char* what,
                     const std::string& where);

/// Throws ModelError unless the table has a row for each token.
void check_row_count(const TokenList& list, const TensorSource& tensors, const std::string& table);

/// What a toolkit does with pieces of the SentencePiece model that are not in the vocabulary.
enum class MissingPieces {
  kUnknown,  ///< they are found in a text, and then they are unknown
  kDivided   ///< they are divided into shorter ones (SetVocabulary of SentencePiece)
};

/// Makes the tokenizers of `package` and the vocabularies of `sides`. `tokenizers`: files of SentencePiece models,
/// none, one of both sides, or two; without one, a text is tokens separated by spaces. Adds to `notes` what was
/// assumed. Throws ConfigError if the tokens are pieces of SentencePiece, but there is no model, and ModelError for
/// files that are damaged.
void take_token_lists(const TokenList& source, const TokenList& target, const std::vector<std::string>& tokenizers,
                      MissingPieces missing, Sides& sides, model::Package& package, std::vector<std::string>& notes);

}  // namespace ventris::imports
