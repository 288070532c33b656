#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "preparation/run_tokenizers.h"
#include "settings/run_config.h"
#include "text/tokenizer.h"

/// Vectors of pieces or words with which the embeddings of a new run start (training.source_vectors, target_vectors).
namespace ventris::preparation {

/// Vectors of some pieces of a tokenizer.
struct PieceVectors {
  std::vector<int32_t> ids;
  std::vector<float> values;  ///< [ids, width], row by row
  int64_t width = 0;
  int64_t as_pieces = 0;  ///< how many were found as they are; the others were found without the mark of a word's start
  int64_t vocab = 0;  ///< pieces that could have a vector
  std::vector<std::string> missing;  ///< the first pieces that were not found, at most kMissingShown

  static constexpr size_t kMissingShown = 10;
};

/// Reads a text file (plain or .gz) as word2vec, GloVe and fastText write it: a word and `width` numbers in each line;
/// the first line may have the number of words and `width` instead. A piece such as "\u2581dog" gets the vector of
/// "\u2581dog" or, if the file does not have it, that of "dog"; any other piece gets that of the same text. If a word
/// occurs several times, the first counts. Words with spaces are skipped, because no piece has any. Throws DataError
/// with the line if it is none of this.
PieceVectors read_vectors(const std::string& path, const text::Tokenizer& tokenizer, int64_t width);

/// The vectors for one embedding of a model.
struct EmbeddingVectors {
  std::string tensor;  ///< the name of the embedding [vocab, width]
  PieceVectors vectors;
};

/// The vectors that the settings name, those of the target first; logs what was found. Throws ConfigError if the model
/// does not have the embedding, and DataError as read_vectors does.
std::vector<EmbeddingVectors> read_embedding_vectors(const settings::RunConfig& config, const Tokenizers& tokenizers);

}  // namespace ventris::preparation
