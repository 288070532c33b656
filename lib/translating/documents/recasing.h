#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "documents/placement.h"
#include "text/tokenizer.h"
#include "translation/translator.h"

/// Lines in capitals and titles as ordinary sentences, for models that have learnt from hardly any such lines.
namespace ventris::documents {

/// Which lines the model gets in other letters than they are written in.
enum class Recase {
  kNone,
  kCapitals,  ///< those without small letters
  kTitles     ///< also those in Title Case: each word of four or more letters begins with a capital
};

/// A text as the model gets it.
struct RecasedText {
  std::string text;                    ///< with as many bytes as the original
  bool capitals = false;               ///< whether its translation belongs into capitals
  std::vector<std::string> kept = {};  ///< what stays as it is in them: code, such as URLs, and stand-ins
};

/// A sentence that the model gets in other letters.
struct RecasedSentence {
  size_t number = 0;     ///< of the sentence in its text
  std::string original;  ///< MaskedText::text before
  bool capitals = false;
  std::vector<std::string> kept;
};

/// Chooses the letters of words. Several threads may use it.
class Recaser {
 public:
  /// `tokenizer`: of the source. `language`: as DocumentOptions::language. Turkish and Azerbaijani, which have other
  /// small letters for I, are not changed.
  Recaser(Recase which, text::Tokenizer tokenizer, const std::string& language);

  /// The text as an ordinary sentence; none if it is one, and if each of its words stays. A word is written as it has
  /// the fewest pieces: in small letters, with a capital or as it is. So names and acronyms that the tokenizer knows
  /// stay. `words` are no words of the text, and stay. So does a word whose other form has another number of bytes.
  std::optional<RecasedText> recased(std::string_view text, const std::vector<std::string>& words) const;

  /// A sentence before a text, as the model gets it.
  std::string context(std::string text) const;

  /// Changes the sentences of a text that recased() changes, and returns them.
  std::vector<RecasedSentence> change(std::vector<MaskedText>& sentences) const;

 private:
  using Cost = std::pair<int64_t, double>;  // pieces, score; less is better
  class Sentence;
  Cost cost_of(std::string_view word, bool alone) const;
  int64_t unknown_characters(std::string_view word) const;
  std::string best_form(std::string_view word, bool alone) const;

  Recase which_;
  text::Tokenizer tokenizer_;
};

/// A translation in capitals, but for what is kept.
std::string in_capitals(std::string_view text, const std::vector<std::string>& kept);

/// Puts sentences back that were changed, and translations of those in capitals into capitals.
void restore_case(std::vector<RecasedSentence>& changed, std::vector<MaskedText>& sentences,
                  std::vector<translation::Translation>& translations);

}  // namespace ventris::documents
