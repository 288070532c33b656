#pragma once
#include <torch/torch.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "encoding/input.h"
#include "families/bert.h"
#include "model/package.h"
#include "nn/seq2seq.h"

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

/// Vectors of sentences or words from the encoder of a BERT, of a classifier, or of a model that translates.
/// Words are separated by white
/// space; the vector of a word is the mean of its pieces. Thread-safe.
class Embedder {
 public:
  /// Throws ModelError if the model has no encoder, and ConfigError for a layer or pooling that it does not have.
  Embedder(const model::Bundle& bundle, torch::Device device, const EmbedderOptions& options);

  Input encode(const std::string& line) const { return inputs_.make(line); }
  /// One result for each input; none of them is blank.
  std::vector<Vectors> embed(const std::vector<const Input*>& batch) const;
  int64_t width() const { return width_; }  ///< numbers in a vector

 private:
  struct States {
    torch::Tensor tokens;  // [batch, len, width]
    torch::Tensor pooled;  // [batch, width]; undefined unless the model is a BERT
  };
  States states_of(const std::vector<const Input*>& batch) const;
  Vectors sentence_of(const States& states, int64_t row, const Input& input) const;
  Vectors words_of(const States& states, int64_t row, const Input& input) const;
  torch::Tensor chosen(const std::vector<torch::Tensor>& layers, int64_t first, const torch::Tensor& output) const;
  void check_pooling() const;

  InputMaker inputs_;
  EmbedderOptions options_;
  torch::Device device_;
  std::shared_ptr<families::BertImpl> bert_;  // one of these two is null
  nn::Seq2Seq translating_;
  int64_t width_ = 0;
};

}  // namespace ventris::encoding
