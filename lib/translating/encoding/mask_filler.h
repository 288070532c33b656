#pragma once
#include <span>
#include <string>
#include <vector>

#include "encoding/encoder_pool.h"
#include "encoding/input.h"

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
  /// At most `most` words for each [MASK], at least 1. Keeps a reference to the encoders. Throws ModelError if the
  /// model is no BERT or its tokenizer has no [MASK].
  MaskFiller(const EncoderPool& encoders, int64_t most);

  Input encode(const std::string& line) const { return inputs_.make(line); }
  bool has_mask(const Input& input) const;
  int32_t mask_id() const { return inputs_.mask_id(); }
  /// The results of some inputs that have a [MASK]. Throws ModelError if a probability is not finite.
  std::vector<FilledLine> fill(const std::vector<const Input*>& batch) const;

 private:
  std::vector<FilledWord> best(std::span<const float> probabilities) const;
  FilledWord filled_word(int32_t id, float probability) const;

  const EncoderPool& encoders_;
  InputMaker inputs_;
  std::vector<int32_t> candidates_;  // all ids but special ones and [MASK]
  size_t most_;
};

}  // namespace ventris::encoding
