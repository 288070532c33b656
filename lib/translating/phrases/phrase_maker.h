#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "constraints/constraints.h"
#include "text/tokenizer.h"

namespace ventris::phrases {

/// Turns texts into phrases over the vocabulary of a tokenizer. Several threads may use it.
class PhraseMaker {
 public:
  explicit PhraseMaker(text::Tokenizer tokenizer);

  /// The phrase of a text: at the beginning of a word, and, if it ends in a letter or a digit, at the end of one. None
  /// if the text is blank or has a character that the tokenizer does not know.
  std::optional<constraints::Phrase> make(std::string_view text) const;

  std::shared_ptr<const constraints::Borders> borders() const { return borders_; }
  const text::Tokenizer& tokenizer() const { return tokenizer_; }

 private:
  std::vector<std::vector<constraints::PhraseGraph::Edge>> edges_of(std::string_view pieces) const;

  text::Tokenizer tokenizer_;
  std::unordered_map<std::string_view, int32_t> ids_;  // of the pieces; their texts belong to the tokenizer
  size_t longest_ = 0;                                 // piece, in bytes
  std::shared_ptr<const constraints::Borders> borders_;
};

}  // namespace ventris::phrases
