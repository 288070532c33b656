#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "phrases/word_sequences.h"
#include "text/tokenizer.h"

namespace ventris::phrases {

/// A text with the translations of its terms, for a model that has learnt to use them (text/term_marks.h).
struct SuggestedTerms {
  std::string text;                          ///< "the dog<term> Hund</term> barks", in Unicode's normal form C, with
                                             ///< one space where there was more white space
  std::vector<text::ByteRange> added = {};   ///< of it; ascending
  std::vector<std::string> translations = {};  ///< each once
};

/// A list of terms with their translations. Several threads may use it.
class TermList {
 public:
  /// Reads a file (plain or .gz) with a term and its translation on each line, separated by a TAB. Further columns are
  /// other forms of the translation, of which one is enough. Blank lines do not count. Throws DataError with the line
  /// for a line with one column, an empty column, and a term that has two translations.
  explicit TermList(const std::string& path);

  /// The translations of the terms in a text with their other forms, in the order of the text, each once. A term must
  /// be made of whole words (is_word_character). One without capital letters also fits words with capital letters; any
  /// other fits only as it is written. Of terms that overlap in the text, the longest counts.
  std::vector<std::vector<std::string>> translations(std::string_view text) const;

  /// The text with the translations of these terms, in their first form, wherever they are. Without terms, and if it
  /// has one of the marks already, it is the text as it is.
  SuggestedTerms suggested(const std::string& text) const;

  size_t size() const { return terms_.size(); }

 private:
  struct Term {
    std::vector<std::string> forms;  // of the translation; at least one
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
  const std::vector<std::string>& forms_of(const Match& match) const;

  std::vector<Term> terms_;
  Kind exact_, any_case_;  // the sources of `any_case_` have no capital letters
};

}  // namespace ventris::phrases
