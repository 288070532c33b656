#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/special_ids.h"
#include "model/package.h"
#include "text/tokenizer.h"

namespace ventris::encoding {

/// A line as input of an encoder.
struct Input {
  std::vector<int32_t> ids;    ///< with special tokens; empty for a blank line
  std::vector<int64_t> words;  ///< of each id: its word in the line, from 0; -1 = none, as for special tokens
  int64_t word_count = 0;      ///< words of the line, which are separated by white space
  bool cut = false;            ///< the line had more tokens than the model can take
};

/// The ids of some inputs, for an encoder. The inputs must outlive them.
std::vector<std::span<const int32_t>> texts_of(const std::vector<const Input*>& batch);

/// The ids of a piece of the line, and where they begin in Input::ids.
struct Pieces {
  size_t begin = 0;
  size_t count = 0;
};

/// Where the pieces of the line are, without the special tokens around them.
Pieces pieces_of(const Input& input, const core::SpecialIds& ids);

/// Makes inputs of a model: "pieces eos" for one that translates, "[CLS] pieces [SEP]" for a BERT or a classifier.
/// Thread-safe.
class InputMaker {
 public:
  /// Takes the source tokenizer of the package. Throws ModelError if its size is not that of the model's vocabulary.
  explicit InputMaker(const model::Package& package);

  /// Of a BERT with the piece [MASK], a space before "[MASK]" has no token of its own, as in its training. A line that
  /// is too long is cut at its end.
  Input make(const std::string& line) const;

  const text::Tokenizer& tokenizer() const { return tokenizer_; }
  const core::SpecialIds& ids() const { return ids_; }
  int32_t mask_id() const { return mask_id_; }  ///< of the piece [MASK]; -1 = the model has none

 private:
  void drop_spaces(Input& input) const;

  text::Tokenizer tokenizer_;
  core::SpecialIds ids_;
  bool begins_with_cls_ = false, ends_with_eos_ = true;
  size_t most_;  // pieces
  int32_t mask_id_ = -1, space_id_ = -1;
};

}  // namespace ventris::encoding
