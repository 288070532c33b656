#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "phrases/word_sequences.h"

namespace ventris::phrases {

/// A list of terms with their translations. Several threads may use it.
class TermList {
 public:
  /// Reads a file (plain or .gz) with a term and its translation on each line, separated by a TAB. Blank lines do not
  /// count. Throws DataError with the line for another number of columns, an empty column, and a term that has two
  /// translations.
  explicit TermList(const std::string& path);

  /// The translations of the terms in a text, in the order of the text, each once. A term must be made of whole words
  /// (is_word_character). One without capital letters also fits words with capital letters; any other fits only as it
  /// is written. Of terms that overlap in the text, the longest counts.
  std::vector<std::string> translations(std::string_view text) const;

  size_t size() const { return terms_.size(); }

 private:
  struct Term {
    std::string target;
    size_t line;
  };
  /// Terms that fit a text in the same way.
  struct Kind {
    WordSequences sequences;
    std::unordered_map<WordSequences::Id, size_t> terms;  // indices in terms_
  };
  struct Match;
  struct Text;

  void add(const std::vector<std::string>& columns, const std::string& path, size_t line);
  std::vector<Match> matches(const Text& text) const;

  std::vector<Term> terms_;
  Kind exact_, any_case_;  // the sources of `any_case_` have no capital letters
};

}  // namespace ventris::phrases
