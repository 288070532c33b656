#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "encoding/encoder_pool.h"
#include "encoding/input.h"

namespace ventris::encoding {

/// What becomes the vector of a sentence.
enum class Pooling {
  kMean,   ///< the mean of its pieces, without special tokens
  kCls,    ///< the state of [CLS]; only a BERT has it
  kPooler  ///< BERT's pooler: tanh of a linear layer over the state of [CLS]
};

struct EmbedderOptions {
  bool words = false;  ///< a vector for each word instead of one for the line
  Pooling pooling = Pooling::kMean;
  std::optional<int64_t> layer = {};  ///< from 1; 0 = the embeddings of a BERT; empty = the output of the encoder
};

/// The vectors of a line: one, or one for each word.
struct Vectors {
  std::vector<float> values;  ///< [vectors, width], row by row; zeros if a word has no piece that the model has seen
  std::vector<bool> known;  ///< of each vector: whether there were pieces of which it could be made. Words at the end
                            ///< of the line may be missing, if they were cut off
};

/// Vectors of sentences or words from the encoder of a BERT, of a classifier, or of a model that translates. Words are
/// separated by white space; the vector of a word is the mean of its pieces. Thread-safe.
class Embedder {
 public:
  /// Keeps a reference to the encoders. Throws ConfigError for a layer or pooling that the model does not have.
  Embedder(const EncoderPool& encoders, const EmbedderOptions& options);

  Input encode(const std::string& line) const { return inputs_.make(line); }
  /// One result for each input; none of them is blank.
  std::vector<Vectors> embed(const std::vector<const Input*>& batch) const;
  int64_t width() const { return encoders_.info().width; }  ///< numbers in a vector

 private:
  Vectors sentence_of(std::span<const float> tokens, const Input& input) const;
  Vectors words_of(std::span<const float> tokens, const Input& input) const;
  void check_pooling() const;
  void check_layer() const;

  const EncoderPool& encoders_;
  InputMaker inputs_;
  EmbedderOptions options_;
};

}  // namespace ventris::encoding
