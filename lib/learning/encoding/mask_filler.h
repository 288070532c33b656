#pragma once
#include <torch/torch.h>

#include <memory>
#include <string>
#include <vector>

#include "encoding/input.h"
#include "families/bert.h"
#include "model/package.h"

namespace ventris::encoding {

/// A piece that may stand for a [MASK].
struct FilledWord {
  std::string piece;       ///< with U+2581 for a space
  std::string word;        ///< without it
  double probability = 0;  ///< of all pieces, special ones included
};

/// The best words for every [MASK] of a line, most probable first.
using FilledLine = std::vector<std::vector<FilledWord>>;

/// Predicts the pieces for [MASK] with a BERT. Every [MASK] is predicted while all others stay hidden. Special tokens
/// and [MASK] are never among them. Thread-safe.
class MaskFiller {
 public:
  /// At most `most` words for each [MASK], at least 1. Throws ModelError if the model is no BERT or its tokenizer
  /// has no [MASK].
  MaskFiller(const model::Bundle& bundle, torch::Device device, int64_t most);

  Input encode(const std::string& line) const { return inputs_.make(line); }
  bool has_mask(const Input& input) const;
  int32_t mask_id() const { return inputs_.mask_id(); }
  /// The results of some inputs that have a [MASK].
  std::vector<FilledLine> fill(const std::vector<const Input*>& batch) const;

 private:
  FilledWord filled_word(int64_t id, float probability) const;

  InputMaker inputs_;
  families::BertForPreTraining bert_;
  torch::Device device_;
  torch::Tensor never_;  // ids
  int64_t most_;
};

}  // namespace ventris::encoding
